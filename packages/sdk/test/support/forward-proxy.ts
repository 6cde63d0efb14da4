import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** A proxy as companies have it: it forwards requests, and opens tunnels by CONNECT. */
export interface ForwardProxy {
  readonly url: string;
  /** Method and target of what it was asked for. */
  readonly requests: string[];
  /** Whether it demands a sign-in. */
  isClosed: boolean;
  close(): void;
}

export async function forwardProxy(): Promise<ForwardProxy> {
  const server = createServer((incoming, response) => {
    const { method, url, headers } = incoming;
    proxy.requests.push(`${method} ${url}`);
    if (proxy.isClosed) return response.writeHead(407, { 'content-type': 'text/html' }).end('<html>');
    const outgoing = httpRequest(url!, { method: method!, headers });
    outgoing.on('response', answer => answer.pipe(response.writeHead(answer.statusCode!, answer.headers)));
    return incoming.pipe(outgoing);
  });
  server.on('connect', ({ url }, client) => {
    proxy.requests.push(`CONNECT ${url}`);
    if (proxy.isClosed) return client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const { hostname, port } = new URL(`http://${url}`);
    const target = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    client.on('error', () => target.destroy());
    return target.on('error', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: ForwardProxy = {
    url,
    requests: [],
    isClosed: false,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return proxy;
}
