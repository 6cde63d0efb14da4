import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { link, readFile, rm, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError, explainFileError } from './error.ts';
import { type Layout, openNew } from './cluster.ts';

/** Reads the password of the database. Every connection does so, because a lost file is replaced while processes run. */
export async function readPassword({ password: file }: Layout): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw new EmbeddedPostgresError(`There is no ${file}: the next start makes a new one`);
    throw explainFileError(error, `The password file ${file} cannot be read`);
  });
  if (text.trim() === '')
    throw new EmbeddedPostgresError(`${file} is empty: delete it, and the next start makes a new one`);
  return text.trim();
}

/** Makes the file of the password if it is missing, for the owner of the data folder only. The first of several processes wins. */
export async function makePassword({ dataDirectory, password: file }: Layout): Promise<void> {
  if (await stat(file).then(Boolean, () => false)) return;
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await openNew(draft, dataDirectory);
    try {
      await handle.writeFile(`${randomBytes(32).toString('base64url')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(draft, file);
  } catch (error) {
    if (!(await stat(file).then(Boolean, () => false)))
      throw explainFileError(error, `The password file ${file} cannot be made`);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Computes the form in which PostgreSQL stores a password (RFC 5803). The password itself is then in no statement and no log. */
export async function computeVerifier(password: string): Promise<string> {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = await promisify(pbkdf2)(password, salt, iterations, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
}
