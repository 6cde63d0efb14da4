import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { exampleRequest } from '../../support/contract/examples.ts';
import { invitedUser } from '../../support/data/users.ts';
import { allOperations, type DeclaredOperation, useApis } from './support.ts';

const fixture = useApis();

/** Something on this machine that a request must not make the service connect to. */
let trap: Server;
let address: string;
let connections = 0;
before(async () => {
  trap = createServer(socket => {
    connections++;
    socket.destroy();
  });
  trap.listen(0, '127.0.0.1');
  await once(trap, 'listening');
  address = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/latest/meta-data`;
});
after(() => trap.close());

/** The body of the example with the address in each of its texts one by one, and in all of them. */
async function bodiesWithAddress({ operation, apiName }: DeclaredOperation): Promise<string[]> {
  if (!operation.body) return [];
  const { raw } = await exampleRequest(operation, apiName);
  let texts = 0;
  const replace = (index: number | 'all') => {
    texts = 0;
    return JSON.stringify(JSON.parse(String(raw)), (_name, value: unknown) =>
      typeof value === 'string' && (index === texts++ || index === 'all') ? address : value,
    );
  };
  const all = replace('all');
  return [all, ...Array.from({ length: texts }, (_, index) => replace(index))];
}

/** Headers by which other services have been led to make requests, or links. */
const headersWithAddress = () => {
  const { host } = new URL(address);
  return {
    'x-forwarded-host': host,
    'x-forwarded-for': host,
    forwarded: `host=${host};for=${host}`,
    'x-original-url': address,
    'x-rewrite-url': address,
    referer: address,
    'x-callback-url': address,
  };
};

describe('no address that a request carries is connected to', () => {
  for (const declared of allOperations)
    test(declared.id, async () => {
      const dryRun = 'dryRun' in declared.operation.query.properties ? { dryRun: true } : {};
      for (const raw of [undefined, ...(await bodiesWithAddress(declared))]) {
        const sent = { headers: headersWithAddress(), query: dryRun, ...(raw !== undefined && { raw }) };
        const { status } = await fixture.send(declared, fixture.own.rows, sent);
        assert.ok(status < 500 || status === 502 || status === 503, String(status));
      }
      const query = { callback: address, url: address, redirect_uri: address };
      await fixture.send(declared, fixture.own.rows, { query });
      // What was made to connect has done so by the time that a connection from here is there.
      const own = await fetch(address).catch(() => null);
      assert.equal(own, null);
      assert.equal(connections, 1, 'the service has connected to the address');
      connections = 0;
    });
});

test('a link leads to the address of the configuration, whatever host the request names', async () => {
  const { sql, testData, service, own } = fixture;
  const invited = await invitedUser(sql, testData.organization);
  const path = `/platform/v1/organizations/${testData.organization}/users/${invited.id}/invitation`;
  const { request } = await import('node:http');
  const sent = request(service.managementUrl + path, {
    method: 'POST',
    headers: {
      ...headersWithAddress(),
      host: 'attacker.example',
      authorization: `Bearer ${own.credentials.platform}`,
    },
  });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  assert.equal(answer.statusCode, 200);
  const { link } = JSON.parse(Buffer.concat(chunks).toString()) as { link: string };
  assert.match(link, /^https:\/\/kontor\.example\.com\/portal\//);
});

/** Modules that may open a connection, and the setting with its address. */
const connecting: Readonly<Record<string, string>> = {
  'cli/demo/incidents.ts': 'the service that the demo has started',
  db: 'DATABASE_URL',
  'features/users/openid/client.ts': 'KONTOR_OPENID_ISSUER',
  'files/s3-store.ts': 'FILES_URL',
  'lib/counting.ts': 'REDIS_URL',
  'mail/message.ts': 'nowhere: it composes a mail',
  'mail/smtp.ts': 'KONTOR_SMTP_HOST',
};

test('only these modules can open a connection, each to the address of a setting', async () => {
  const source = new URL('../../../src/', import.meta.url);
  const opening =
    /\bfetch\(|from '(undici|node:(tls|dgram|http2|dns.*)|pg|ioredis|redis|openid-client|nodemailer.*|@aws-sdk.*|minio|aws4fetch)'|import\('(openid-client|ioredis|nodemailer[^']*)'\)|\b(http|https|net|tls)\.(request|get|connect|createConnection)\(|import \{[^}]*(?<!type )\b(request|connect|createConnection|Socket)\b[^}]*\} from 'node:(http|https|net|tls)'/;
  const found = new Set<string>();
  for (const name of await readdir(source, { recursive: true }))
    if (name.endsWith('.ts') && opening.test(await readFile(new URL(name, source), 'utf8')))
      found.add(name.startsWith('db/') ? 'db' : name);
  assert.deepEqual([...found].sort(), Object.keys(connecting).sort());
});
