import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/**
 * `llms.txt`, the index that programs read before they write code for Kontor: the guides of `docs/README.md` by reader, a line each
 * (https://llmstxt.org).
 */
export function renderLlms(): string {
  const index = readFileSync(new URL('docs/README.md', root), 'utf8');
  const sections = index.split(/^## /m).slice(1).map(renderSection);
  return `# Kontor

> Connects HR and payroll systems with benefits by salary conversion, such as company bikes. Integrators use the REST API \`/v1\` with an API key.

- Do not write a client by hand: use \`@kontor/sdk\` in TypeScript, or generate one from [openapi/public.json](openapi/public.json).
- Do not write a nightly import of people by hand: \`kontor-sync\` does it, and loses no change.
- Try everything against the demo, \`npx kontor demo\`, which prints a key. Send each write with an \`Idempotency-Key\`.

${sections.join('\n\n')}
`;
}

/** A table of guides as a list, with links from the root. */
function renderSection(text: string): string {
  const [title] = text.split('\n', 1);
  const rows = [...text.matchAll(/^\| \[(?<name>.+?)\]\((?<target>.+?)\) +\| (?<purpose>.+?) +\|$/gm)];
  const lines = rows.map(({ groups }) => {
    const { name, target, purpose } = groups as { name: string; target: string; purpose: string };
    const { pathname, hash } = new URL(target, 'file:///docs/');
    return `- [${name}](${pathname.slice(1)}${hash}): ${purpose}`;
  });
  return `## ${title}\n\n${lines.join('\n')}`;
}
