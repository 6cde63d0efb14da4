import { renderDocument, renderMarkdown, type Served } from './markdown.ts';

const navigation =
  '    <p><a href="guides">All guides</a> · <a href="../docs">API reference</a> · <a href="changelog">Change log</a></p>\n';

/** The address of a guide below `/docs`; that of the list is `guides`. */
const addressOf = (file: string) => (file === 'README.md' ? 'guides' : file.replace(/\.md$/, ''));

/** The guides as pages, by the names of their files. `texts` is by the names of the Markdown files. */
export function renderGuides(texts: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const addresses = [...texts.keys()].map(file => [file, addressOf(file)] as const);
  const served = new Map([...addresses, ['CHANGELOG.md', 'changelog']]);
  return Object.fromEntries(
    addresses.map(([file, address]) => [`${address}.html`, renderGuide(texts.get(file)!, served)]),
  );
}

function renderGuide(text: string, served: Served): string {
  const title = /^# (.*)/.exec(text)![1]!;
  return renderDocument({ title: `Kontor: ${title}`, body: navigation + renderMarkdown(text, served) });
}
