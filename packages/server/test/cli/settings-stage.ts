import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type SettingName, settings } from '../../src/config.ts';
import { s3Store } from '../../src/files/s3-store.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { findFreePort } from '../support/service/free-port.ts';
import { startIssuer, type TestIssuer } from '../support/servers/issuer.ts';
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts';
import { storePayrollDocument } from '../support/data/payroll-documents.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../support/servers/otlp-receiver.ts';
import { type RedisServer, withRedis } from '../support/servers/redis.ts';
import { s3Url, startS3 } from '../support/servers/s3.ts';
import { activeUser, invitedUser } from '../support/data/users.ts';
import { insertTestData, testPepper, type TestData } from '../support/data/test-data.ts';
import { type Running, start } from './kontor.ts';

/** The public address of the service. */
export const publicUrl = 'https://kontor.example.com';
export const openIdReturn = `${publicUrl}/portal/sign-in/openid`;

/** The client at the issuer that has a key instead of a secret. */
export const keyClientId = 'kontor-with-key';

/** The servers around the service, and the settings for them. */
export interface Stage {
  readonly testing: TestDatabase;
  readonly testData: TestData;
  readonly redis: RedisServer;
  readonly issuer: TestIssuer;
  readonly mail: MailServer;
  readonly otlp: OtlpReceiver;
  /** User and password of each login at the mail server. */
  readonly logins: string[];
  /** The identifier of a payroll document. Its file is in the S3 storage, and not in the database. */
  readonly documentId: string;
  readonly s3Url: string;
  /** A storage that takes connections and answers nothing. */
  readonly unresponsiveS3Url: string;
  readonly credentials: Readonly<Record<string, string>>;
  /** Its file `pepper` is the one of the keys; `secret` in it has the secret of the issuer, `key.pem` the key of its other client, `password` one for the mail server. */
  readonly folder: string;
  /** Makes a user who can ask for a new password. */
  user(): Promise<string>;
  /** Makes an invited user whom the issuer knows by the returned name, without `email_verified`. */
  person(): Promise<string>;
}

/** Starts the servers while the tests use them. */
export async function withStage(use: (stage: Stage) => Promise<void>): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const testing = await testDatabase();
  resources.defer(() => testing.drop());
  const { sql } = testing.database;
  const testData = await insertTestData(sql);
  const s3 = await startS3();
  resources.defer(() => s3.close());
  const files = resources.use(s3Store(s3.url, 10_000, sql));
  const tenant = { tenant: testData.tenantA };
  const document = await storePayrollDocument(sql, testData.organization, tenant, undefined, files.store);
  const connections = new Set<Socket>();
  const unresponsive = createServer(socket => connections.add(socket)).listen(0, '127.0.0.1');
  await once(unresponsive, 'listening');
  resources.defer(() => {
    for (const socket of connections) socket.destroy();
    unresponsive.close();
  });
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const issuer = await startIssuer([openIdReturn], {
    client: { token_endpoint_auth_method: 'client_secret_post' },
    keyClient: { clientId: keyClientId, publicKey },
  });
  resources.defer(() => issuer.close());
  const logins: string[] = [];
  const mail = await startMailServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      logins.push(`${username} ${password}`);
      done(null, { user: username });
    },
  });
  resources.defer(() => mail.close());
  const otlp = await startOtlpReceiver();
  resources.defer(() => otlp.close());
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-settings-'));
  resources.defer(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, 'pepper'), testPepper);
  await writeFile(path.join(folder, 'secret'), issuer.settings.clientSecret);
  await writeFile(path.join(folder, 'key.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }));
  await writeFile(path.join(folder, 'password'), 'of-the-file');
  let staff = 0;
  await withRedis(async redis => {
    await use({
      testing,
      testData,
      redis,
      issuer,
      mail,
      otlp,
      logins,
      documentId: document.id,
      s3Url: s3.url,
      unresponsiveS3Url: s3Url((unresponsive.address() as AddressInfo).port),
      credentials: s3.credentials,
      folder,
      user: async () => (await activeUser(sql, testData.organization)).email,
      async person() {
        const { email } = await invitedUser(sql, testData.organization);
        const name = `person${++staff}`;
        issuer.staff.set(name, { email });
        return name;
      },
    });
  });
}

/** How the settings are given. */
export type Method = 'variable' | 'option';

/** A `kontor serve` with the settings of a group. */
export interface Run {
  readonly stage: Stage;
  readonly running: Running;
  readonly host: string;
  readonly port: string;
  readonly client: ApiClient;
  readonly portal: ApiClient;
  readonly managementUrl: string;
  /** What it was given. */
  readonly values: Partial<Record<SettingName, string>>;
}

/** Starts `kontor serve` with the values, each as an option where there is one and `way` says so. */
export async function serveWith(
  stage: Stage,
  method: Method,
  values: Partial<Record<SettingName, string>>,
): Promise<Run> {
  const args: string[] = [];
  const variables: Record<string, string> = { ...stage.credentials };
  for (const [name, value] of Object.entries(values) as [SettingName, string][]) {
    const row = settings[name];
    if (method === 'option' && 'option' in row) args.push(`--${row.option}`, value);
    else variables[row.variable] = value;
  }
  const running = start(['serve', '--json', ...args], variables);
  const line = await running.line(/^\{/);
  const { baseUrl, managementUrl } = JSON.parse(line) as { baseUrl: string; managementUrl: string };
  const { hostname, port, origin } = new URL(baseUrl);
  return {
    stage,
    running,
    host: hostname,
    port,
    client: apiClient(origin, { key: stage.testData.keys.all }),
    portal: apiClient(origin, { api: 'portal' }),
    managementUrl,
    values,
  };
}

/** Addresses that differ from the defaults, on free ports. */
export async function ownAddresses(): Promise<Partial<Record<SettingName, string>>> {
  const [port, managementPort] = [String(await findFreePort()), String(await findFreePort())];
  return { host: '127.0.0.2', port, managementHost: '127.0.0.3', managementPort };
}

/** A metric, summed over its labels; null while there is none. */
export async function metric({ managementUrl }: Run, name: string): Promise<number | null> {
  const page = await (await fetch(`${managementUrl}/metrics`)).text();
  const values = [...page.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))];
  return values.length === 0 ? null : values.reduce((sum, [, value]) => sum + Number(value), 0);
}

/** Begins an upload of which the rest never comes, and resolves when the service has begun to read it. */
export async function stalledUpload({ host, port, stage }: Run): Promise<void> {
  const sending = request({
    host,
    port,
    method: 'POST',
    path: '/v1/employees',
    headers: {
      'x-api-key': stage.testData.keys.all,
      'content-type': 'application/json',
      'content-length': 1000,
      expect: '100-continue',
    },
  });
  sending.on('error', () => {});
  sending.flushHeaders();
  await once(sending, 'continue');
  sending.write('{');
}
