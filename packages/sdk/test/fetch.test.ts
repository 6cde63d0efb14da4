import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fetch as fetchOfUndici, ProxyAgent } from 'undici';
import { ConnectionError, type Fetch } from '../src/index.ts';
import { pdf, useSdkFixture } from './support/fixture.ts';
import { type ForwardProxy, forwardProxy } from './support/forward-proxy.ts';
import { answer, scriptedServer } from './support/scripted-server.ts';

const fixture = useSdkFixture();
const index = fileURLToPath(new URL('../src/index.ts', import.meta.url));
let proxy: ForwardProxy;
before(async () => void (proxy = await forwardProxy()));
after(() => proxy.close());

/** An incident that takes uploads. */
async function report(): Promise<string> {
  const { id: orderId } = await fixture.order();
  const body = { employeeId: fixture.employeeId, orderId, type: 'damage', occurredOn: '2026-09-02' } as const;
  return (await fixture.kontor().incidents.create({ ...body, description: 'Rahmen gebrochen' })).id;
}

/** Functions that send by undici: directly, through a proxy that forwards, and through a tunnel. */
const fetches: Record<string, () => { fetch: Fetch; close?: () => Promise<void> }> = {
  undici: () => ({ fetch: fetchOfUndici }),
  'undici through a proxy': () => through(new ProxyAgent(proxy.url)),
  'undici through a tunnel of a proxy': () => through(new ProxyAgent({ uri: proxy.url, proxyTunnel: true })),
};
const through = (dispatcher: ProxyAgent) => ({
  fetch: ((url, init) => fetchOfUndici(url, { ...init, dispatcher })) satisfies Fetch,
  close: () => dispatcher.close(),
});

describe('the client works with the fetch of', () => {
  for (const [name, make] of Object.entries(fetches))
    test(name, async () => {
      const { fetch, close } = make();
      proxy.requests.length = 0;
      const kontor = fixture.kontor({ fetch });
      const created = await kontor.divisions.create({ name: `Über ${name}` });
      assert.equal((await kontor.divisions.get(created.id)).name, `Über ${name}`);
      const fileName = 'Beleg "1"\r\n.pdf';
      const uploaded = await kontor.incidents.uploadAttachment(await report(), pdf, { fileName });
      assert.deepEqual([uploaded.size, uploaded.mediaType], [pdf.length, 'application/pdf']);
      const { id, sha256 } = fixture.payrollDocument;
      const { stream } = await kontor.payrollExportDocuments.download(id);
      const digest = await crypto.subtle.digest('SHA-256', await new Response(stream).arrayBuffer());
      assert.equal(Buffer.from(digest).toString('hex'), sha256);
      assert.equal(proxy.requests.length > 0, close !== undefined);
      await close?.();
    });

  test('Node.js through the proxy of the environment', async () => {
    proxy.requests.length = 0;
    const { url } = fixture.service;
    const program = `
      import { Kontor } from ${JSON.stringify(index)};
      const kontor = new Kontor();
      const { id } = await kontor.employees.create({ email: 'proxy@example.com', firstName: 'Ina', lastName: 'Neu' });
      const { size } = await kontor.incidents.uploadAttachment(process.argv[1], new Uint8Array(${JSON.stringify([...Buffer.from('%PDF-1.7\n')])}));
      console.log((await kontor.employees.get(id)).lastName, size);`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program, await report()],
      {
        env: {
          NODE_USE_ENV_PROXY: '1',
          HTTP_PROXY: proxy.url,
          KONTOR_BASE_URL: url,
          KONTOR_API_KEY: fixture.testData.keys.all,
          KONTOR_TENANT_ID: fixture.testData.tenantA,
        },
      },
    );
    assert.equal(stdout, 'Neu 9\n');
    assert.ok(proxy.requests.length > 0);
  });
});

describe('a proxy that demands a sign-in', () => {
  before(() => void (proxy.isClosed = true));
  after(() => void (proxy.isClosed = false));

  for (const proxyTunnel of [false, true])
    test(`rejects a write before it is sent, ${proxyTunnel ? 'in a tunnel' : 'forwarding it'}`, async () => {
      const { fetch, close } = through(new ProxyAgent({ uri: proxy.url, proxyTunnel }));
      const kontor = fixture.kontor({ fetch, maxRetries: 0 });
      const error = await kontor.divisions.create({ name: 'Einkauf' }).catch((error: unknown) => error);
      assert.ok(error instanceof ConnectionError && error.neverSent, String(error));
      await close();
    });
});

test('an upload is the same bytes with every fetch, and its name cannot leave its quotes', async () => {
  const bodies: string[] = [];
  const fetch: Fetch = (_url, { body, headers }) => {
    assert.ok(body instanceof Uint8Array);
    bodies.push(`${headers['content-type']}\r\n${Buffer.from(body).toString('utf8')}`);
    return Promise.resolve(Response.json({ id: '1'.repeat(24) }));
  };
  const kontor = fixture.kontor({ fetch });
  const file = new File(['text'], 'ä";\r\nX: 1', { type: 'image/png' });
  await kontor.incidents.uploadAttachment('1'.repeat(24), file);
  const [, boundary] = /boundary=(\S+)/.exec(bodies[0]!)!;
  assert.equal(
    bodies[0],
    [
      `multipart/form-data; boundary=${boundary}`,
      `--${boundary}`,
      'Content-Disposition: form-data; name="file"; filename="ä%22;%0D%0AX: 1"',
      'Content-Type: image/png',
      '',
      'text',
      `--${boundary}--`,
      '',
    ].join('\r\n'),
  );
});

test('the body of a request is never a FormData: another fetch would send its name as text', async () => {
  const server = await scriptedServer(answer(201, { id: '1'.repeat(24) }));
  const kontor = fixture.kontor({ baseUrl: server.url, fetch: fetchOfUndici });
  await kontor.incidents.uploadAttachment('1'.repeat(24), pdf);
  assert.match(server.requests[0]!.headers['content-type']!, /^multipart\/form-data; boundary=/);
});
