import { OperatorError } from '../lib/operator-error.ts';

export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

interface Place {
  readonly host: string;
  readonly port: number;
  readonly option: string;
  readonly variable: string;
}

/** What the operator can do about an address that cannot be listened on; any other error stays what it is. */
export function listenError(error: unknown, { host, port, option, variable }: Place): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const other = `choose another one with ${option} or ${variable}`;
  if (code === 'EADDRINUSE') return new OperatorError(`port ${port} of ${host} is taken: ${other}`);
  if (code === 'EACCES') return new OperatorError(`port ${port} may not be used by this user: ${other}`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new OperatorError(`${host} is no address of this machine`);
  return error;
}
