import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { renderDocument, renderMarkdown, type Served, setTextHeaders } from './markdown.ts';

const folder = new URL('../../../docs/', import.meta.url);

const navigation =
  '    <p><a href="guides">All guides</a> · <a href="../docs">API reference</a> · <a href="changelog">Change log</a></p>\n';

async function renderGuide(file: string, served: Served): Promise<string> {
  const text = await readFile(new URL(file, folder), 'utf8');
  const title = /^# (.*)/.exec(text)![1]!;
  return renderDocument({ title: `Kontor: ${title}`, body: navigation + renderMarkdown(text, served) });
}

const addressOf = (file: string) => (file === 'README.md' ? 'guides' : file.replace(/\.md$/, ''));

/** Registers the guides as pages, such as `/docs/portal`, and their list as `/docs/guides`. Each is rendered with its first request. */
export function registerGuides(app: FastifyInstance): void {
  const files = readdirSync(folder).filter(name => name.endsWith('.md'));
  const guides = new Map(files.map(file => [file, addressOf(file)]));
  const served = new Map([...guides, ['CHANGELOG.md', 'changelog']]);
  for (const [file, address] of guides) {
    let page: Promise<string> | undefined;
    app.get(`/docs/${address}`, async (_request, reply) =>
      setTextHeaders(reply, 'text/html').send(await (page ??= renderGuide(file, served))),
    );
  }
}
