import { Marked } from 'marked';
import { escapeHtml } from '../../packages/server/src/lib/html.ts';

/** The anchor of a heading, as repository pages have it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\d _-]/gu, '')
    .replaceAll(' ', '-');

/** The addresses of served documents by file, relative to the other pages below `/docs`. */
export type Served = ReadonlyMap<string, string>;

/** The address that a link leads to; undefined: its document is not served. */
function addressOf(href: string, served: Served): string | undefined {
  if (URL.canParse(href) || href.startsWith('#')) return href;
  const [, file = '', anchor = ''] = /^(?:docs\/|\.\.\/)?([\w-]+\.md)(#.*)?$/.exec(href) ?? [];
  const address = served.get(file);
  return address && address + anchor;
}

/** Renders a document of the repository. It has the pictures of `docs/portal`, and no others. Links to documents that are not served become their words. */
export function renderMarkdown(text: string, served: Served = new Map()): string {
  const markdown = new Marked({
    renderer: {
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const address = addressOf(href, served);
        return address === undefined ? words : `<a href="${escapeHtml(address)}">${words}</a>`;
      },
      heading({ tokens, depth, text: heading }) {
        return `<h${depth} id="${escapeHtml(anchorOf(heading))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      image({ href, text: alternative }) {
        if (!/^portal\/[\w-]+\.webp$/.test(href)) return '';
        const size = 'width="1280" height="800" loading="lazy"';
        return `<img src="${escapeHtml(href)}" alt="${escapeHtml(alternative)}" ${size}>`;
      },
    },
  });
  return markdown.parse(text, { async: false });
}

interface Document {
  readonly title: string;
  /** Default: English. */
  readonly language?: 'de';
  /** More elements of the head. */
  readonly head?: string;
  readonly body: string;
}

/** A page with rendered text. */
export function renderDocument({ title, language, head = '', body }: Document): string {
  return `<!doctype html>
<html lang="${language ?? 'en'}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="data:,">${head}
    <style>
      :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
      body { max-width: 46rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
      code { font: 0.9em ui-monospace, monospace; }
      pre { white-space: pre-wrap; }
      @media (min-width: 40rem) { table { overflow-wrap: break-word; } }
      img { max-width: 100%; height: auto; border: 1px solid #8884; border-radius: 4px; }
      td, th { padding: 0.2rem 0.8rem 0.2rem 0; text-align: start; vertical-align: top; }
    </style>
  </head>
  <body>
    <main>
${body}    </main>
  </body>
</html>
`;
}
