import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../../lib/operator-error.ts';
import type { DatabaseAddress, DatabaseHost } from './database-url.ts';
import { NoSession, stateOf } from '../failure.ts';

/** A server, and how to reach it. */
export interface Server extends DatabaseHost {
  readonly ssl: ConnectionOptions | false;
}

/** Finds the server that a new session connects to. */
export type ChooseServer = () => Promise<Server>;

/** The ways to connect to each host, in the order in which they are tried (PostgreSQL documentation, 34.19). @throws {@link OperatorError} */
export function serversOf(address: DatabaseAddress): Server[][] {
  const modes = tlsModes(address);
  return address.hosts.map(host => {
    // A socket has no TLS, whatever the mode.
    const isSocket = host.host.startsWith('/');
    return (isSocket ? [false as const] : modes).map(ssl => ({ ...host, ssl }));
  });
}

function tlsModes({
  sslMode,
  rootCertificate,
  certificate,
  key,
  keyPassword,
}: DatabaseAddress): Server['ssl'][] {
  if (sslMode === 'disable') return [false];
  const own: ConnectionOptions = {
    ...(certificate !== undefined && { cert: readFile('sslcert', certificate) }),
    ...(key !== undefined && { key: readFile('sslkey', key) }),
    ...(keyPassword !== undefined && { passphrase: keyPassword }),
  };
  const unverified = { ...own, rejectUnauthorized: false };
  if (sslMode === 'allow') return [false, unverified];
  if (sslMode === 'prefer') return [unverified, false];
  const verified = {
    ...own,
    ...(rootCertificate !== undefined && { ca: readFile('sslrootcert', rootCertificate) }),
  };
  if (sslMode === 'verify-full') return [verified];
  // Like libpq, `require` with a file of authorities means `verify-ca`.
  return [
    sslMode === 'require' && rootCertificate === undefined
      ? unverified
      : { ...verified, checkServerIdentity: () => undefined },
  ];
}

function readFile(parameter: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new OperatorError(`The file of ${parameter} in DATABASE_URL cannot be read: ${path}`, {
      cause: error,
    });
  }
}

/** Milliseconds after which the next host is tried alongside one that has not answered. */
const headStart = 1_000;

/**
 * Finds a server that `probe` accepts. Hosts are tried in order, and again for each session, so that a new primary is found after a failover. A
 * host that does not answer delays this by a second.
 */
export function serverChooser(
  hosts: readonly Server[][],
  probe: (server: Server) => Promise<void>,
): ChooseServer {
  return async () => {
    const attempts: Promise<Server>[] = [];
    for (const servers of hosts) {
      attempts.push(firstAccepted(servers, probe));
      const isLast = attempts.length === hosts.length;
      const accepted = Promise.any(attempts).catch(() => null);
      const server = await (isLast
        ? accepted
        : Promise.race([accepted, delay(headStart, null, { ref: false })]));
      if (server !== null) return server;
    }
    const outcomes = await Promise.allSettled(attempts);
    throw failureOf(outcomes.map(outcome => (outcome as PromiseRejectedResult).reason as Error));
  };
}

async function firstAccepted(
  servers: readonly Server[],
  probe: (server: Server) => Promise<void>,
): Promise<Server> {
  const errors: Error[] = [];
  for (const server of servers)
    try {
      await probe(server);
      return server;
    } catch (error) {
      errors.push(error as Error);
    }
  const error = failureOf(errors);
  if (stateOf(error) !== undefined) throw error;
  throw new NoSession(`${servers[0]!.host}: ${error.message}`, { cause: error });
}

/** An error that a server reported, such as a wrong password, says more than that others were unreachable. */
function failureOf(errors: readonly Error[]): Error {
  const reported = errors.find(error => /^(28|3D)/.test(stateOf(error) ?? ''));
  return (
    reported ??
    new NoSession([...new Set(errors.map(({ message }) => message))].join('; '), { cause: errors[0] })
  );
}
