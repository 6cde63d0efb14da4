import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Marked } from 'marked';
import { escapeHtml } from '../../lib/html.ts';
import { setDocumentHeaders } from './document-headers.ts';

const file = new URL('../../../CHANGELOG.md', import.meta.url);

/** Allows the styles and the empty icon of the page, and no scripts. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** One section of the change log. */
interface Entry {
  readonly heading: string;
  readonly html: string;
}

// Links to other documents lead nowhere from here: their words remain.
const markdown = new Marked({
  renderer: {
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      return URL.canParse(href) ? `<a href="${escapeHtml(href)}">${text}</a>` : text;
    },
  },
});

/** Renders the sections of a change log, the newest first. */
export function renderEntries(changelog: string): Entry[] {
  const [, ...sections] = changelog.split(/^## /m);
  return sections.map(section => {
    const [heading, ...lines] = section.split('\n');
    return { heading: heading!.trim(), html: markdown.parse(lines.join('\n'), { async: false }) };
  });
}

const renderPage = (entries: readonly Entry[]) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Kontor: change log</title>
    <link rel="icon" href="data:,">
    <link rel="alternate" type="application/atom+xml" title="Change log" href="changelog.atom">
    <style>
      :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
      body { max-width: 46rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
      code { font: 0.9em ui-monospace, monospace; }
    </style>
  </head>
  <body>
    <h1>Change log</h1>
    <p><a href="../docs">API reference</a> · <a href="changelog.atom">Atom feed</a></p>
${entries.map(({ heading, html }) => `    <h2>${escapeHtml(heading)}</h2>\n${html}`).join('\n')}  </body>
</html>
`;

/** Renders the dated entries as a feed (RFC 4287). The day of an entry stays the same, so it identifies the entry. */
function renderFeed(entries: readonly Entry[]): string {
  const dated = entries.flatMap(entry => {
    const [day] = /^\d{4}-\d{2}-\d{2}/.exec(entry.heading) ?? [];
    return day === undefined ? [] : [{ ...entry, updated: `${day}T00:00:00Z` }];
  });
  const items = dated.map(
    ({ heading, html, updated }) => `  <entry>
    <id>urn:kontor:changelog:${encodeURIComponent(heading)}</id>
    <title>${escapeHtml(heading)}</title>
    <updated>${updated}</updated>
    <link href="changelog"/>
    <content type="html">${escapeHtml(html)}</content>
  </entry>
`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:kontor:changelog</id>
  <title>Kontor: change log</title>
  <author><name>Kontor</name></author>
  <updated>${dated[0]?.updated ?? '1970-01-01T00:00:00Z'}</updated>
  <link rel="self" href="changelog.atom"/>
${items.join('')}</feed>
`;
}

/** Registers the change log as a page and as a feed. */
export function registerChangelog(app: FastifyInstance): void {
  let entries: Promise<Entry[]> | undefined;
  const load = () => (entries ??= readFile(file, 'utf8').then(renderEntries));
  const headers = (reply: FastifyReply, type: string) =>
    setDocumentHeaders(reply, { type, contentSecurityPolicy });
  app.get('/docs/changelog', async (_request, reply) =>
    headers(reply, 'text/html').send(renderPage(await load())),
  );
  app.get('/docs/changelog.atom', async (_request, reply) =>
    headers(reply, 'application/atom+xml').send(renderFeed(await load())),
  );
}
