import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { OperatorError } from '../lib/operator-error.ts';

/** How the operator chooses a port. */
const portSettings = {
  port: '--port or PORT',
  managementPort: '--management-port or MANAGEMENT_PORT',
};

interface Place {
  readonly host: string;
  readonly port: number;
  readonly reusePort?: boolean;
  /** A socket that listens already, as a file descriptor; its address counts. */
  readonly socket?: number | null;
}

export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns the port. @throws OperatorError when the address cannot be used. */
export async function listen(
  server: Server,
  setting: keyof typeof portSettings,
  place: Place,
): Promise<number> {
  server.listen(typeof place.socket === 'number' ? { fd: place.socket } : place);
  await once(server, 'listening').catch((error: unknown) => {
    throw listenError(error, setting, place);
  });
  return (server.address() as AddressInfo).port;
}

/** Explains to the operator why the service cannot listen on an address. Returns any other error unchanged. */
export function listenError(
  error: unknown,
  setting: keyof typeof portSettings,
  { host, port }: Place,
): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const other = `choose another one with ${portSettings[setting]}`;
  if (code === 'EADDRINUSE') return new OperatorError(`port ${port} of ${host} is taken: ${other}`);
  if (code === 'EACCES') return new OperatorError(`port ${port} may not be used by this user: ${other}`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new OperatorError(`${host} is not an address of this machine`);
  return error;
}
