import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether LibreOffice is installed. */
export async function hasLibreOffice(): Promise<boolean> {
  return run('soffice', ['--version']).then(
    () => true,
    () => false,
  );
}

/** Numbers of encodings in the filter options of LibreOffice. */
export const charsets = {
  'utf-8': 76,
  'windows-1252': 1,
  'utf-16': 65_535,
  'mac-roman': 2,
  'ms-dos': 4,
} as const;

/** Reads every column as text. */
const textColumns = Array.from({ length: 40 }, (_, column) => `${column + 1}/2`).join('/');

/** Converts files to CSV in a folder (`Text - txt - csv`: delimiter, quote, charset, first line, columns, language, quote all text). */
export async function convert(
  files: readonly string[],
  folder: string,
  {
    delimiter,
    charset,
    isQuoted,
    readAs,
  }: { delimiter: string; charset: number; isQuoted: boolean; readAs?: string },
): Promise<void> {
  const input =
    readAs === undefined
      ? []
      : [`--infilter=CSV:${readAs.charCodeAt(0)},34,76,1,${textColumns},0,false,true,false`];
  const output = `csv:Text - txt - csv (StarCalc):${delimiter.charCodeAt(0)},34,${charset},1,,0,${isQuoted},true`;
  const profile = `-env:UserInstallation=file://${path.join(folder, 'profile')}`;
  await run(
    'soffice',
    [profile, '--headless', ...input, '--convert-to', output, '--outdir', folder, ...files],
    {
      timeout: 300_000,
    },
  );
}

export const readConverted = (folder: string, name: string) => readFile(path.join(folder, `${name}.csv`));
