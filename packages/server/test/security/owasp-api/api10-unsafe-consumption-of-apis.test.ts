import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { after, describe, test } from 'node:test';
import { s3Store, type S3Files } from '../../../src/files/s3-store.ts';
import { deliver, SmtpFailure } from '../../../src/mail/smtp.ts';
import { type ApiClient, apiClient } from '../../support/contract/client.ts';
import { IssuerVisitor, startIssuer, type TestIssuer } from '../../support/servers/issuer.ts';
import { s3Url } from '../../support/servers/s3.ts';
import { startService, type TestService } from '../../support/service/service.ts';
import { invitedUser } from '../../support/data/users.ts';
import { outcomeOf, useApis } from './support.ts';

/** Part of each hostile answer. No answer and no log of the service may have it. */
const mark = 'from-a-hostile-party';
const back = 'https://kontor.example.com/portal/sign-in/openid';

let issuer: TestIssuer;
let storage: Server;
let answerOfStorage: RequestListener = (_request, response) => response.writeHead(500).end();
/** Where a redirect of a hostile party leads. */
let elsewhere: Server;
let visits = 0;
let files: S3Files;
let service: TestService;
let portal: ApiClient;
let api: ApiClient;
let platform: ApiClient;

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function listening(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const fixture = useApis(async fixture => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' });
  issuer = await startIssuer([back]);
  storage = await listening((request, response) => answerOfStorage(request, response));
  elsewhere = await listening((_request, response) => {
    visits++;
    response.end('{}');
  });
  files = s3Store(s3Url((storage.address() as AddressInfo).port), 2_000, fixture.sql);
  service = await startService(fixture.sql, {
    openId: issuer.settings,
    files: { store: files.store, timeout: 2_000 },
  });
  portal = apiClient(service.url, { api: 'portal' });
  api = apiClient(service.url, { key: fixture.testData.keys.all });
  platform = apiClient(service.managementUrl, {
    api: 'platform',
    key: fixture.own.credentials.platform,
  });
});
after(async () => {
  portal?.close();
  api?.close();
  platform?.close();
  await service?.stop();
  files?.[Symbol.dispose]();
  await issuer?.close();
  for (const server of [storage, elsewhere]) {
    server?.closeAllConnections();
    server?.close();
  }
});

/** JSON of the contents, with what a hostile party adds. */
const json =
  (contents: object): RequestListener =>
  (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ...contents, mark }));

const hostile: Readonly<Record<string, RequestListener>> = {
  'a page': (_request, response) => response.end(`<html>${mark}</html>`),
  'a redirect to elsewhere': (_request, response) =>
    response.writeHead(302, { location: `${addressOf(elsewhere)}/${mark}` }).end(),
  'a permanent redirect to elsewhere': (_request, response) =>
    response.writeHead(308, { location: `${addressOf(elsewhere)}/${mark}` }).end(),
  'JSON of other types': json({ issuer: [], token_endpoint: 7, access_token: {}, id_token: 7 }),
  'JSON that is nested very deeply': (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(200_000)),
  'an error with a text': (_request, response) => response.writeHead(500).end(`<Error>${mark}</Error>`),
  'an error that is none of its protocol': (_request, response) =>
    response.writeHead(418, { 'content-type': 'application/json' }).end(JSON.stringify({ error: mark })),
  'a body that is not as long as it says': (_request, response) => {
    response.writeHead(200, { 'content-length': '100000' });
    response.write(mark, () => response.destroy());
  },
};

/** A body that never ends, a little at a time. */
const endless: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
};

function assertUnharmed(answer: Awaited<ReturnType<ApiClient['get']>>, expected: RegExp): void {
  assert.match(outcomeOf(answer), expected);
  assert.ok(!answer.bytes.includes(mark), 'the answer has what the other party said');
  assert.equal(visits, 0, 'a redirect was followed');
  assert.ok(!service.log.some(line => line.includes(mark)), 'the log has what the other party said');
}

describe('an issuer that answers with something hostile signs no user in, and nothing of its answer is shown', () => {
  after(() => (issuer.answer = null));

  /** A sign-in that was begun and led back from the issuer. */
  async function begun() {
    issuer.answer = null;
    const user = await invitedUser(fixture.sql, fixture.testData.organization);
    issuer.staff.set(user.id, { email: user.email, email_verified: true });
    const answer = await portal.request('POST', '/session/openid-request');
    const cookie = answer.headers['set-cookie']![0]!.split(';')[0]!;
    const { searchParams } = await new IssuerVisitor().signIn(answer.body.location, user.id, back);
    return { body: Object.fromEntries(searchParams), headers: { cookie } };
  }

  for (const [name, listener] of Object.entries({ ...hostile, 'a body that never ends': endless })) {
    test(`${name}: when it is asked what it is`, async () => {
      issuer.answer = listener;
      const fresh = await startService(fixture.sql, { openId: issuer.settings });
      const client = apiClient(fresh.url, { api: 'portal' });
      const key = fixture.own.credentials.portal;
      const answers = await Promise.all([
        client.request('POST', '/session/openid-request'),
        client.request('POST', '/session/confirmation/openid-request', { key }),
      ]);
      for (const answer of answers) assertUnharmed(answer, /^50[24] /);
      client.close();
      await fresh.stop();
    });

    test(`${name}: when it is asked for the user`, async () => {
      const { body, headers } = await begun();
      issuer.answer = listener;
      const answer = await portal.post('/session/openid', body, { headers });
      assertUnharmed(answer, /^(50[24]|401) /);
      assert.ok(!String(answer.headers['set-cookie']).includes('__Host-kontor='), 'somebody is signed in');
    });
  }

  test('the metadata of another issuer', async () => {
    const other = addressOf(elsewhere);
    issuer.answer = json({
      issuer: other,
      authorization_endpoint: `${other}/auth`,
      token_endpoint: `${other}/token`,
    });
    const fresh = await startService(fixture.sql, { openId: issuer.settings });
    const client = apiClient(fresh.url, { api: 'portal' });
    assertUnharmed(await client.request('POST', '/session/openid-request'), /^502 /);
    client.close();
    await fresh.stop();
  });
});

describe('a file store that answers with something hostile never passes for the file', () => {
  const organization = () => `/organizations/${fixture.testData.organization}`;
  const otherBytes: Readonly<Record<string, RequestListener>> = {
    'other bytes of the same length': (_request, response) => response.end(mark.padEnd(15).slice(0, 15)),
    'more bytes than the file has': (_request, response) => response.end(mark.repeat(1000)),
    'no bytes': (_request, response) => response.writeHead(200, { 'content-length': '0' }).end(),
  };

  for (const [name, listener] of Object.entries({
    ...hostile,
    ...otherBytes,
    'a body that never ends': endless,
  })) {
    test(name, async () => {
      answerOfStorage = listener;
      const { orders, attachments } = fixture.own.rows;
      const documents = fixture.own.rows['payroll-export-documents'];
      const attachment = `/orders/${orders}/attachments/${attachments}`;
      const { incidents, 'incidents/attachments': file } = fixture.own.rows;
      const evidence = `/incidents/${incidents}/attachments/${file}`;
      const key = fixture.own.credentials.portal;
      for (const download of [
        () => api.get(attachment),
        () => api.get(`/payroll-export-documents/${documents}/download`),
        () => portal.get(attachment, { key }),
        () => portal.get(evidence, { key }),
        () => portal.get(`/payroll-export-documents/${documents}/download`, { key }),
      ]) {
        // What has begun to be sent is aborted, so that no client takes it for the file.
        const answer = await download().catch((error: NodeJS.ErrnoException) => error.code);
        if (typeof answer === 'string') assert.equal(answer, 'ECONNRESET');
        else assertUnharmed(answer!, /^(50[24]|404) /);
      }
      // The export of a data subject ends, and names the files that are not as they were stored.
      const copy = `${organization()}/employees/${fixture.own.rows['employees']}/export`;
      const ofPortal = `/employees/${fixture.own.rows['employees']}/export`;
      for (const download of [() => platform.get(copy), () => portal.get(ofPortal, { key })]) {
        const exported = await download().catch(() => null);
        if (exported) assert.match(outcomeOf(exported), /^(200|50[24])/);
      }
      assert.equal(visits, 0, 'a redirect was followed');
      assert.ok(!service.log.some(line => line.includes(mark)), 'the log has what the other party said');
    });

    if (name in hostile && !name.includes('JSON') && !name.includes('page') && !name.includes('body'))
      test(`${name}: of an upload`, async () => {
        answerOfStorage = listener;
        const file = { bytes: Buffer.from(`%PDF-1.7\n${name}\n%%EOF\n`), fileName: 'b.pdf' };
        const answer = await platform.upload(
          `${organization()}/orders/${fixture.own.rows['orders']}/attachments`,
          file,
        );
        assertUnharmed(answer, /^50[24] /);
        const evidence = `/incidents/${fixture.own.rows['incidents']}/attachments`;
        const uploaded = await portal.upload(evidence, file, { key: fixture.own.credentials.portal });
        assertUnharmed(uploaded, /^50[24] /);
      });
  }
});

describe('a mail server that is hostile gets neither the password nor the mail, and holds nothing up', () => {
  const settings = {
    host: '127.0.0.1',
    tls: 'starttls' as const,
    login: { user: 'kontor', password: 'the password of the mail server' },
    from: { name: 'Kontor', address: 'kontor@example.com' },
    publicUrl: 'https://kontor.example.com',
  };
  const message = {
    from: 'a@example.com',
    to: 'b@example.com',
    content: Buffer.from('Subject: x\r\n\r\nthe mail'),
  };
  const deadlines = { connect: 1_000, login: 1_000, send: 1_000 };

  /** Delivers to a server that greets so and answers each line with `reply`; resolves with what it was sent. */
  async function deliverTo(greeting: string, reply: string): Promise<{ received: string; failure: unknown }> {
    let received = '';
    const server = createSocketServer(socket => {
      socket.on('error', () => {});
      socket.on('data', chunk => {
        received += chunk.toString();
        socket.write(reply);
      });
      socket.write(greeting);
      socket.on('close', () => clearInterval(timer));
      const timer = setInterval(() => greeting.endsWith('\n') || socket.write(greeting), 20);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const delivered = deliver({ ...settings, port }, message, { deadlines });
    const failure = await delivered.then(
      () => null,
      (error: unknown) => error,
    );
    server.close();
    await once(server, 'close');
    return { received, failure };
  }

  const servers: Readonly<Record<string, [greeting: string, reply: string]>> = {
    'does not offer encryption': ['220 here\r\n', '250 here\r\n'],
    'offers to take the password without it': ['220 here\r\n', '250-here\r\n250 AUTH PLAIN LOGIN\r\n'],
    'refuses to encrypt what it has offered': ['220 here\r\n', '250-here\r\n250 STARTTLS\r\n454 not now\r\n'],
    'speaks in clear behind the beginning of encryption': [
      '220 here\r\n',
      '250-here\r\n250 STARTTLS\r\n220 go on\r\n250 here\r\n',
    ],
    'never ends its greeting': ['220-'.repeat(10_000), ''],
    'replies without end': ['220 here\r\n', `250-${mark.repeat(1000)}\r\n`],
  };
  for (const [name, [greeting, reply]] of Object.entries(servers))
    test(name, async () => {
      const { received, failure } = await deliverTo(greeting, reply);
      assert.ok(failure instanceof SmtpFailure);
      assert.ok(!failure.message.includes(mark));
      const { password } = settings.login;
      for (const secret of [password, Buffer.from(password).toString('base64'), 'the mail'])
        assert.ok(!received.includes(secret), secret);
      assert.ok(!received.includes(Buffer.from(`\0kontor\0${password}`).toString('base64')));
    });
});
