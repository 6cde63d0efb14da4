import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findFreePort } from '../../packages/server/test/support/service/free-port.ts';

const run = promisify(execFile);
const file = fileURLToPath(new URL('../../deploy/nginx.conf', import.meta.url));

/** Why nginx cannot be run here; false: it can. */
export const noNginx = ((): string | false => {
  const missing = ['nginx', 'openssl'].find(program => spawnSync(program, ['-v']).error !== undefined);
  return missing !== undefined && `there is no ${missing}`;
})();

/** nginx with deploy/nginx.conf. */
export interface Nginx {
  readonly url: string;
  readonly port: number;
  /** The output of `nginx -t` for the configuration. */
  check(): Promise<string>;
  stop(): Promise<void>;
}

/** deploy/nginx.conf with other addresses, another certificate and `changes` instead of those in it. */
async function configuration(folder: string, changes: Readonly<Record<string, string>>): Promise<string> {
  let server = await readFile(file, 'utf8');
  const places = {
    '/etc/ssl/kontor.pem': `${folder}/certificate.pem`,
    '/etc/ssl/kontor.key': `${folder}/key.pem`,
  };
  for (const [given, wanted] of Object.entries({ ...places, ...changes })) {
    if (!server.includes(given)) throw new Error(`deploy/nginx.conf has no ${given}`);
    server = server.replaceAll(given, wanted);
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  );
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user} pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
http { access_log off; ${temporary.join(' ')}
${server} }`;
}

/** Starts nginx on a free port of this machine, in front of a service; `changes` replace text of deploy/nginx.conf. */
export async function startNginx(
  service: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<Nginx> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-proxy-'));
  await chmod(folder, 0o755);
  const name = ['-subj', '/CN=api.example.com', '-days', '1'];
  const out = ['-keyout', path.join(folder, 'key.pem'), '-out', path.join(folder, 'certificate.pem')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...name, ...out], {
    stdio: 'ignore',
  });
  const port = await findFreePort();
  const conf = path.join(folder, 'nginx.conf');
  const addresses = {
    'server 127.0.0.1:8080': `server ${new URL(service).host}`,
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
  };
  await writeFile(conf, await configuration(folder, { ...addresses, ...changes }));
  const command = ['-p', folder, '-c', conf, '-e', path.join(folder, 'error.log')];
  // It answers when this has ended.
  await run('nginx', command);
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    check: async () => (await run('nginx', ['-t', ...command])).stderr,
    async stop() {
      await run('nginx', [...command, '-s', 'stop']);
      await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}
