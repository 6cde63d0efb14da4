import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { settings } from '../config.ts';
import { OperatorError } from '../lib/operator-error.ts';

interface Place {
  readonly host: string;
  readonly port: number;
  readonly reusePort?: boolean;
}

/** Returns the port. @throws OperatorError when the address cannot be used. */
export async function listen(
  server: Server,
  setting: 'port' | 'managementPort',
  place: Place,
): Promise<number> {
  server.listen(place);
  await once(server, 'listening').catch((error: unknown) => {
    throw listenError(error, setting, place);
  });
  return (server.address() as AddressInfo).port;
}

/** Explains to the operator why the service cannot listen on an address. Returns any other error unchanged. */
export function listenError(
  error: unknown,
  setting: 'port' | 'managementPort',
  { host, port }: Place,
): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const { option, variable } = settings[setting];
  const other = `choose another one with --${option} or ${variable}`;
  if (code === 'EADDRINUSE') return new OperatorError(`port ${port} of ${host} is taken: ${other}`);
  if (code === 'EACCES') return new OperatorError(`port ${port} may not be used by this user: ${other}`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new OperatorError(`${host} is no address of this machine`);
  return error;
}
