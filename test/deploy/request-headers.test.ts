import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { trustedProxies } from '../../packages/server/src/config.ts';
import type { ForwardedHeader } from '../../packages/server/src/http/client-address.ts';
import { registerEntrance } from '../../packages/server/src/http/response/documentation.ts';
import {
  employeeId,
  keys,
  type StubService,
  stubService,
} from '../../packages/server/test/http/stub-service.ts';
import { findFreePort } from '../../packages/server/test/support/service/free-port.ts';

const run = promisify(execFile);

/** Why a program cannot be run here; false: it can. */
function missing(program: string): string | false {
  return spawnSync(program, ['-v']).error !== undefined && `there is no ${program}`;
}

interface Proxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** Runs a proxy in front of the service. It listens when its command has ended. */
type StartProxy = (service: StubService, ...lines: readonly string[]) => Promise<Proxy>;

/** `lines` are of the location; those that begin with `map` are of the server. */
const startNginx: StartProxy = async (service, ...lines) => {
  const { folder, port, file, remove } = await prepare();
  const isMap = (line: string) => line.startsWith('map');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  );
  await writeFile(
    file,
    `${process.getuid?.() === 0 ? 'user root;' : ''} pid ${folder}/pid; events {}
    http { access_log off; ${temporary.join(' ')} ${lines.filter(isMap).join('\n')}
      server { listen 127.0.0.1:${port}; location / {
        proxy_pass http://127.0.0.1:${service.port}; proxy_http_version 1.1; proxy_set_header Host $http_host;
        ${lines.filter(line => !isMap(line)).join('\n')} } } }`,
  );
  const command = ['-p', folder, '-c', file, '-e', path.join(folder, 'error.log')];
  await run('nginx', command);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => run('nginx', [...command, '-s', 'stop']).then(remove),
  };
};

/** `lines` are of the frontend. */
const startHaproxy: StartProxy = async (service, ...lines) => {
  const { folder, port, file, remove } = await prepare();
  await writeFile(
    file,
    `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend public
  bind 127.0.0.1:${port}
  ${lines.join('\n  ')}
  default_backend kontor
backend kontor
  server kontor 127.0.0.1:${service.port}
`,
  );
  const pid = path.join(folder, 'pid');
  await run('haproxy', ['-D', '-f', file, '-p', pid]);
  const stop = async () => {
    process.kill(Number(await readFile(pid, 'utf8')));
    await remove();
  };
  return { url: `http://127.0.0.1:${port}`, stop };
};

async function prepare() {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-headers-'));
  await chmod(folder, 0o755);
  const remove = () => rm(folder, { recursive: true, maxRetries: 20, retryDelay: 50 });
  return { folder, port: await findFreePort(), file: path.join(folder, 'conf'), remove };
}

async function get(
  proxy: Proxy,
  target: string,
  headers: Record<string, string> = {},
  localAddress?: string,
) {
  const sent = request(new URL(target, proxy.url), {
    headers: { 'X-API-Key': keys.all, Connection: 'close', ...headers },
    localAddress,
  }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    status: answer.statusCode,
    requestId: String(answer.headers['x-request-id']),
    body: (await json(answer)) as any,
  };
}

const id = '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21';
const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const v7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The address of the client, which is not that of the proxy. */
const client = '127.0.0.7';
const forged = '203.0.113.9';

const haproxyIds = 'http-request set-header X-Request-ID %[uuid()] unless { req.hdr(X-Request-ID) -m found }';
const nginxForwardedFor = 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;';
const haproxyForwardedFor = 'option forwardfor';

test('docs/running.md has the lines that are tried here', async () => {
  const guide = await readFile(new URL('../../docs/running.md', import.meta.url), 'utf8');
  for (const line of [haproxyIds, nginxForwardedFor, haproxyForwardedFor])
    assert.ok(guide.includes(line), line);
});

/** Tests a proxy with these lines in front of a service that trusts it. */
function behind(
  start: StartProxy,
  { lines, header = 'x-forwarded-for' }: { lines: readonly string[]; header?: ForwardedHeader },
  check: (proxied: { proxy: Proxy; service: StubService }) => void,
): void {
  const proxied = {} as { proxy: Proxy; service: StubService };
  before(async () => {
    proxied.service = await stubService({
      trustedProxies: trustedProxies('127.0.0.1'),
      forwardedHeader: header,
      pages: registerEntrance,
    });
    proxied.proxy = await start(proxied.service, ...lines);
  });
  after(async () => {
    await proxied.proxy?.stop();
    await proxied.service?.close();
  });
  check(proxied);
}

const proxies = {
  nginx: {
    start: startNginx,
    ids: [],
    made: v7,
    brokenIds: [
      'map $http_x_request_id $req_id { default $http_x_request_id; "" $request_id; }',
      'proxy_set_header X-Request-ID $req_id;',
    ],
    forwarded: {
      'X-Forwarded-For': ['x-forwarded-for', nginxForwardedFor],
      'X-Forwarded-For with a port': [
        'x-forwarded-for',
        'proxy_set_header X-Forwarded-For "$http_x_forwarded_for, $remote_addr:$remote_port";',
      ],
      Forwarded: [
        'forwarded',
        String.raw`proxy_set_header Forwarded "$http_forwarded, for=\"$remote_addr:$remote_port\";proto=http";`,
      ],
    },
  },
  haproxy: {
    start: startHaproxy,
    ids: [haproxyIds],
    made: v4,
    brokenIds: [
      String.raw`unique-id-format %{+X}o\ %ci:%cp_%fi:%fp_%Ts_%rt:%pid`,
      'unique-id-header X-Request-ID',
    ],
    forwarded: {
      'X-Forwarded-For on a line of its own': ['x-forwarded-for', haproxyForwardedFor],
      'Forwarded on a line of its own': [
        'forwarded',
        String.raw`http-request add-header Forwarded for=\"%[src]:%[src_port]\";by=_kontor;proto=http`,
      ],
    },
  },
} as const satisfies Record<
  string,
  {
    start: StartProxy;
    /** As the guide says. */
    ids: readonly string[];
    made: RegExp;
    /** As many have it. */
    brokenIds: readonly string[];
    forwarded: Record<string, readonly [ForwardedHeader, string]>;
  }
>;

for (const [name, { start, ids, made, brokenIds, forwarded }] of Object.entries(proxies))
  describe(`behind ${name}`, { skip: missing(name) }, () => {
    describe('with request identifiers as the guide says', () =>
      behind(start, { lines: ids }, proxied => {
        test('each request has one, that of the client if it sent one', async () => {
          const target = `/v1/employees/${employeeId}`;
          const [own, sent] = [
            await get(proxied.proxy, target),
            await get(proxied.proxy, target, { 'X-Request-ID': id }),
          ];
          assert.deepEqual([own.status, sent.status, sent.requestId], [200, 200, id]);
          assert.match(own.requestId, made);
        });
      }));

    describe('with request identifiers that are no UUID', () =>
      behind(start, { lines: brokenIds }, proxied => {
        test('pages and documents are served, and /v1 says what is wrong', async () => {
          for (const target of ['/', '/v1/openapi.json']) {
            const { status, requestId } = await get(proxied.proxy, target);
            assert.equal(status, target === '/' ? 302 : 200);
            assert.match(requestId, v7);
          }
          const { status, body } = await get(proxied.proxy, '/v1/health');
          assert.deepEqual([status, body.error.code], [400, 'INVALID_REQUEST_ID']);
        });
      }));

    for (const [form, [header, line]] of Object.entries<readonly [ForwardedHeader, string]>(forwarded))
      describe(`with ${form}`, () =>
        behind(start, { lines: [line], header }, proxied => {
          test('the address is that of the client, whatever the client says', async () => {
            for (const value of [undefined, forged, `for=${forged}`, 'for="', `${forged}:80, unknown, `]) {
              const headers = value === undefined ? {} : { 'X-Forwarded-For': value, Forwarded: value };
              const { status } = await get(proxied.proxy, `/v1/employees/${employeeId}`, headers, client);
              assert.equal(status, 200);
              assert.equal(proxied.service.calls.at(-1)!.address, client, value);
            }
          });
        }));
  });
