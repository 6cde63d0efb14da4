import { readFileSync } from 'node:fs';

const length = 10_000;
const manifest = import.meta.resolve('@zxcvbn-ts/language-common/package.json');

/** The most common passwords, the first first, with the licence of the list. A blank line is between them. */
export function commonPasswords(): string {
  const passwords = JSON.parse(read('src/passwords.json')) as string[];
  const { name, version } = JSON.parse(read('package.json')) as { name: string; version: string };
  const header = [
    `The ${length.toLocaleString('en')} most common passwords, from ${name} ${version}: the dictionary of zxcvbn by Dan Wheeler and Dropbox,`,
    'which counts leaked passwords. Written by "npm run generate". Its licence:',
    ...read('LICENSE.txt').trim().split('\n'),
  ];
  const notice = header.map(line => `# ${line}`.trim());
  return `${notice.join('\n')}\n\n${passwords.slice(0, length).join('\n')}\n`;
}

function read(file: string): string {
  return readFileSync(new URL(file, manifest), 'utf8');
}
