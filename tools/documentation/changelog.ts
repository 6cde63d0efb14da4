import { escapeHtml } from '../../packages/server/src/lib/html.ts';
import { renderDocument, renderMarkdown } from './markdown.ts';

/** One section of the change log. */
interface Entry {
  readonly heading: string;
  readonly html: string;
}

/** Renders the sections of a change log, the newest first. */
export function renderEntries(changelog: string): Entry[] {
  const [, ...sections] = changelog.split(/^## /m);
  return sections.map(section => {
    const [heading, ...lines] = section.split('\n');
    return { heading: heading!.trim(), html: renderMarkdown(lines.join('\n')) };
  });
}

const feedLink = `
    <link rel="alternate" type="application/atom+xml" title="Change log" href="changelog.atom">`;

/** Renders the change log as a page. */
export function renderPage(changelog: string): string {
  const entries = renderEntries(changelog);
  return renderDocument({
    title: 'Kontor: change log',
    head: feedLink,
    body: `    <h1>Change log</h1>
    <p><a href="../docs">API reference</a> · <a href="guides">Guides</a> · <a href="changelog.atom">Atom feed</a></p>
${entries.map(({ heading, html }) => `    <h2>${escapeHtml(heading)}</h2>\n${html}`).join('\n')}`,
  });
}

/** Renders the dated entries as a feed (RFC 4287). The day of an entry stays the same, so it identifies the entry. */
export function renderFeed(changelog: string): string {
  const dated = renderEntries(changelog).flatMap(entry => {
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
