import type { DatabaseTarget } from '../../../src/db/connect.ts';

/** The URL of a database for another process, with the password of an embedded one. */
export async function targetUrl(target: DatabaseTarget): Promise<string> {
  if ('url' in target) return target.url;
  const { socketDirectory, user, password, database } = target;
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(await password())}`;
  return `postgres://${credentials}@localhost/${encodeURIComponent(database)}?host=${encodeURIComponent(socketDirectory)}`;
}

export function withDatabase(target: DatabaseTarget, database: string): DatabaseTarget {
  if ('socketDirectory' in target) return { ...target, database };
  const url = new URL(target.url);
  url.pathname = `/${encodeURIComponent(database)}`;
  return { url: url.href };
}
