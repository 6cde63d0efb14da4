import { readFile } from 'node:fs/promises';
import { OperatorError } from '../../lib/operator-error.ts';

/** The fields of a line. `hosts`: any of them is enough. */
export interface PasswordOwner {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly database: string;
  readonly user: string;
}

/** The password in the text of a passfile (PostgreSQL documentation, 34.16): that of the first line that matches; null without one. */
export function findPassword(text: string, { hosts, database, user }: PasswordOwner): string | null {
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    // A backslash escapes a colon or a backslash.
    const fields = Array.from(line.matchAll(/((?:\\.|[^:\\])*)(?::|$)/g), ([, field]) =>
      field!.replaceAll(/\\(.)/g, '$1'),
    );
    const [host, port, ofDatabase, ofUser, password] = fields;
    if (password === undefined || password === '') continue;
    const isOf = (field: string | undefined, value: string) => field === '*' || field === value;
    const isHost = hosts.some(one => isOf(host, hostName(one.host)) && isOf(port, String(one.port)));
    if (isHost && isOf(ofDatabase, database) && isOf(ofUser, user)) return password;
  }
  return null;
}

/** A Unix socket is written as localhost. */
function hostName(host: string): string {
  return host.startsWith('/') ? 'localhost' : host;
}

/** The passwords that servers have accepted last, by file and user: all pools of a process share them. */
const accepted = new Map<string, string>();

/**
 * Chooses the password of a new session from a passfile. While the server still rejects a new password, or not all of a failover have it, the
 * last accepted one is used. So the file is changed first, and then the role. `tries` says whether the server accepts a password.
 * @throws OperatorError for a file that cannot be read, or without the password
 */
export async function choosePassword(
  file: string,
  owner: PasswordOwner,
  tries: (password: string) => Promise<boolean>,
): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new OperatorError(`the file of the parameter passfile cannot be read: ${file}`);
  });
  const password = findPassword(text, owner);
  if (password === null)
    throw new OperatorError(`the file of the parameter passfile has no line for this database: ${file}`);
  const name = JSON.stringify([file, owner.user]);
  const last = accepted.get(name);
  if (password === last) return password;
  if (await tries(password)) accepted.set(name, password);
  else if (last !== undefined) return last;
  return password;
}
