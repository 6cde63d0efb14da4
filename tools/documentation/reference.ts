import type { Api, PublishedApi } from '@kontor/contract';

/** The address of an API relative to its reference, so that both work behind a path prefix. */
const addressOf = ({ prefix }: Pick<Api, 'prefix'>) => prefix.split('/').at(-1)!;

/** Renders the page of the reference of an API. */
export function renderReference(api: Pick<PublishedApi, 'prefix' | 'texts'>): string {
  const contract = `${addressOf(api)}/openapi.json`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${api.texts.referenceTitle}</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript. The contract itself is at <a href="${contract}">${contract}</a>.</noscript>
    <script src="docs/scalar.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;
}

/** Turns off the request client, stored keys and telemetry: API keys do not belong in browsers (specification.md 5.8). */
const configuration = {
  hideTestRequestButton: true,
  hideClientButton: true,
  persistAuth: false,
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  operationTitleSource: 'summary',
  orderSchemaPropertiesBy: 'preserve',
};

/** Renders the script that starts the reference. Its examples have the address under which it was opened. */
export function renderStart(api: Pick<Api, 'prefix'>): string {
  const address = addressOf(api);
  return `Scalar.createApiReference('#reference', {
  ...${JSON.stringify({ url: `${address}/openapi.json`, ...configuration })},
  servers: [{ url: new URL('${address}', location.href).href }],
});
`;
}
