import type { Api } from '@kontor/contract';

// The addresses are relative, so they work behind a path prefix.
const pageOf = (title: string, api: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript. The contract itself is at <a href="${api}/openapi.json">${api}/openapi.json</a>.</noscript>
    <script src="docs/scalar.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

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

// The examples of the reference use the address under which it was opened.
const startOf = (api: string) => `Scalar.createApiReference('#reference', {
  ...${JSON.stringify({ url: `${api}/openapi.json`, ...configuration })},
  servers: [{ url: new URL('${api}', location.href).href }],
});
`;

/** The page of the reference of an API, and the script that starts it. */
export function renderReference({ prefix, texts }: Pick<Api, 'prefix' | 'texts'>): {
  readonly page: string;
  readonly start: string;
} {
  const api = prefix.split('/').at(-1)!;
  return { page: pageOf(texts.referenceTitle, api), start: startOf(api) };
}
