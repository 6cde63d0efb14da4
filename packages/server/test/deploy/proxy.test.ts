import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { useFixture } from '../support/fixture.ts';

const run = promisify(execFile);
const file = fileURLToPath(new URL('../../../../deploy/nginx.conf', import.meta.url));
const missing = ['nginx', 'openssl'].find(program => spawnSync(program, ['-v']).error !== undefined);

/** deploy/nginx.conf with the address of a service, a certificate and a socket instead of those in it. */
async function configuration(folder: string, service: string): Promise<string> {
  const given = await readFile(file, 'utf8');
  const server = given
    .replace('127.0.0.1:8080', new URL(service).host)
    .replace('listen 443 ssl', `listen unix:${folder}/proxy.sock ssl`)
    .replace('/etc/ssl/kontor.pem', `${folder}/certificate.pem`)
    .replace('/etc/ssl/kontor.key', `${folder}/key.pem`);
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  );
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user} pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
http { access_log off; ${places.join(' ')}
${server} }`;
}

describe(
  'deploy/nginx.conf, run by nginx in front of the service',
  { skip: missing && `there is no ${missing}` },
  () => {
    const fixture = useFixture();
    let folder: string;
    let command: string[];

    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'kontor-proxy-'));
      await chmod(folder, 0o755);
      const name = ['-subj', '/CN=api.example.com', '-days', '1'];
      const out = ['-keyout', path.join(folder, 'key.pem'), '-out', path.join(folder, 'certificate.pem')];
      execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...name, ...out], {
        stdio: 'ignore',
      });
      const conf = path.join(folder, 'nginx.conf');
      await writeFile(conf, await configuration(folder, fixture.service.url));
      command = ['-p', folder, '-c', conf, '-e', path.join(folder, 'error.log')];
      // It answers when this has ended.
      await run('nginx', command);
    });
    after(async () => {
      await run('nginx', [...command, '-s', 'stop']);
      await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 50 });
    });

    interface Answer {
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: any;
    }

    function send(
      method: string,
      target: string,
      headers: Record<string, string>,
      body?: Buffer,
    ): Promise<Answer> {
      return new Promise((resolve, reject) => {
        const sent = request(
          {
            socketPath: path.join(folder, 'proxy.sock'),
            path: `/v1${target}`,
            method,
            headers: { Host: 'api.example.com', 'X-API-Key': fixture.world.keys.all, ...headers },
            rejectUnauthorized: false,
            agent: false,
          },
          response =>
            void json(response).then(
              body => resolve({ status: response.statusCode!, headers: response.headers, body }),
              reject,
            ),
        );
        sent.on('error', reject).end(body);
      });
    }

    test('has no fault and no warning', async () => {
      const { stderr } = await run('nginx', ['-t', ...command]);
      assert.match(stderr, /test is successful/);
      assert.doesNotMatch(stderr, /\[(warn|emerg)\]/);
    });

    test('passes on the request identifier, the quota and the answer', async () => {
      const id = '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21';
      const { status, headers, body } = await send('GET', '/employees', { 'X-Request-ID': id });
      assert.deepEqual([status, headers['x-request-id'], body.page], [200, id, 1]);
      assert.match(String(headers.ratelimit), /^"default";r=/);
    });

    test('leaves it to the service to refuse a body that is too large, and takes one of 5 MiB', async () => {
      const ofSize = (size: number) =>
        send(
          'POST',
          '/employees?dryRun=true',
          { 'Content-Type': 'application/json' },
          Buffer.alloc(size, ' '),
        );
      const [fits, tooLarge] = [await ofSize(5 * 1024 * 1024), await ofSize(5 * 1024 * 1024 + 1)];
      assert.deepEqual([fits.status, fits.body.error.code], [400, 'VALIDATION_ERROR']);
      assert.deepEqual([tooLarge.status, tooLarge.body.error.code], [413, 'PAYLOAD_TOO_LARGE']);
    });

    test('takes headers of 120 KiB', async () => {
      const long = Object.fromEntries(
        ['a', 'b', 'c', 'd'].map(name => [`X-Long-${name}`, name.repeat(30 * 1024)]),
      );
      assert.equal((await send('GET', '/employees', long)).status, 200);
    });
  },
);
