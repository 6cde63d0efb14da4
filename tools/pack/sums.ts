import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The purpose of a signature: one for another purpose does not verify. */
export const signatureNamespace = 'kontor-release';

/** Writes `SHA256SUMS` of files of a folder, and signs it with the private key of SSH in a file, or the one of an agent. */
export function writeSums(folder: string, files: readonly string[], key: string | undefined): void {
  const lines = files.toSorted().map(file => {
    const digest = createHash('sha256')
      .update(readFileSync(path.join(folder, file)))
      .digest('hex');
    return `${digest}  ${file}\n`;
  });
  const sums = path.join(folder, 'SHA256SUMS');
  writeFileSync(sums, lines.join(''));
  if (key !== undefined)
    execFileSync('ssh-keygen', ['-Y', 'sign', '-q', '-n', signatureNamespace, '-f', key, sums], {
      stdio: ['inherit', 'ignore', 'inherit'],
    });
}
