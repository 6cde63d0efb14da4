import { connect } from 'node:tls';

/** The certificate of a server, as this machine sees it. */
export interface Certificate {
  /** Why this machine does not trust it, as a code of OpenSSL; null if it does. */
  readonly fault: string | null;
  readonly names: string;
  readonly validTo: Date;
}

/** Milliseconds to wait for a connection. */
const timeout = 10_000;

/** Reads the certificate of an address, also one that is not trusted. Nothing is sent. @throws Error without a connection */
export function readCertificate({ hostname, port }: URL): Promise<Certificate> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve, reject } = Promise.withResolvers<Certificate>();
  const servername = /^[\d.]+$|:/.test(host) ? undefined : host;
  const socket = connect({
    host,
    port: port === '' ? 443 : Number(port),
    rejectUnauthorized: false,
    ...(servername !== undefined && { servername }),
  });
  socket.setTimeout(timeout, () => socket.destroy(new Error('no answer')));
  socket.once('error', reject);
  socket.once('secureConnect', () => {
    const { subjectaltname: names = '', valid_to: validTo } = socket.getPeerCertificate();
    // Node has the code as a string here, whatever the type says.
    const fault = socket.authorizationError as unknown as string | null | undefined;
    resolve({
      fault: fault ?? null,
      names: names.replaceAll(/(?:DNS|IP Address):/g, ''),
      validTo: new Date(validTo),
    });
    socket.destroy();
  });
  return promise;
}
