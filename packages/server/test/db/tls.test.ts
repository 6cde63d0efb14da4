import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { connect } from '../../src/db/connect.ts';
import { openSession } from '../../src/db/open-session.ts';
import { sql } from '../../src/db/sql.ts';
import {
  type Certificates,
  makeCertificates,
  type NetworkCluster,
  noOpenssl,
  startNetworkCluster,
} from '../support/database/tls-cluster.ts';

describe('sslmode of DATABASE_URL has the meaning of libpq', { skip: noOpenssl }, () => {
  let cluster: NetworkCluster;
  let certificates: Certificates;
  let otherName: Certificates;
  before(async () => {
    cluster = await startNetworkCluster();
    certificates = await makeCertificates(`IP:${cluster.address}`);
    otherName = await makeCertificates('DNS:db.example.com');
  });
  after(async () => {
    await cluster?.stop();
    await certificates?.remove();
    await otherName?.remove();
  });

  const url = (parameters: string, user = 'kontor') =>
    `postgres://${user}@${cluster.address}/postgres?${parameters}`;

  /** Whether sessions of each kind are encrypted; the message if they cannot be opened. */
  async function encrypted(parameters: string): Promise<boolean | string> {
    const seen = new Set<boolean>();
    const question = sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;
    const database = connect({ url: url(parameters) }, { poolSize: 1 });
    try {
      for (const pool of [database.reads, database.lists, database.writes])
        seen.add((await pool.rows<{ ssl: boolean }>(question))[0]!.ssl);
      const session = await openSession({ url: url(parameters) });
      seen.add((await session.send(question, { deadline: 5000 })).rows[0].ssl);
      session.destroy(new Error('tried'));
    } catch (error) {
      return (error as Error).message;
    } finally {
      await database.close();
    }
    assert.equal(seen.size, 1);
    return [...seen][0]!;
  }

  const cases = (expected: () => Record<string, boolean | RegExp>) => async () => {
    for (const [parameters, outcome] of Object.entries(expected())) {
      const found = await encrypted(parameters);
      if (outcome instanceof RegExp) assert.match(String(found), outcome, parameters);
      else assert.equal(found, outcome, parameters);
    }
  };
  const root = () => `sslrootcert=${certificates.authority}`;
  const otherRoot = () => `sslrootcert=${certificates.otherAuthority}`;

  describe('to a server without TLS', () => {
    before(() => cluster.allow('host all all all trust'));
    test(
      'only the modes that need it fail',
      cases(() => ({
        '': false,
        'sslmode=disable': false,
        'sslmode=allow': false,
        'sslmode=prefer': false,
        'sslmode=require': /does not support SSL/,
        'sslmode=verify-full': /does not support SSL/,
      })),
    );
  });

  async function serve({ server }: Certificates): Promise<void> {
    await cluster.addFile('server.key', server.key);
    await cluster.addFile('server.crt', server.certificate);
    await cluster.addFile('root.crt', await readFile(certificates.authority));
    await cluster.set({ ssl: 'on', ssl_ca_file: 'root.crt' });
  }

  describe('to a server with a certificate of an authority of its own', () => {
    before(async () => {
      await serve(certificates);
      await cluster.allow('host all all all trust');
    });
    test(
      'prefer and require encrypt without an authority, and the others verify',
      cases(() => ({
        'sslmode=disable': false,
        'sslmode=allow': false,
        'sslmode=prefer': true,
        'sslmode=require': true,
        [`sslmode=require&${root()}`]: true,
        [`sslmode=require&${otherRoot()}`]: /certificate/,
        [`sslmode=verify-ca&${root()}`]: true,
        [`sslmode=verify-ca&${otherRoot()}`]: /certificate/,
        [`sslmode=verify-full&${root()}`]: true,
        [`sslmode=verify-full&${otherRoot()}`]: /certificate/,
        'sslmode=verify-full': /certificate/,
        'sslmode=verify-full&sslrootcert=system': /certificate/,
      })),
    );

    test('prefer does without encryption if the server accepts the client only then', async () => {
      await cluster.allow('hostnossl all all all trust');
      assert.equal(await encrypted('sslmode=prefer'), false);
      assert.match(String(await encrypted('sslmode=require')), /pg_hba.conf/);
    });

    test('allow encrypts if the server accepts the client only then', async () => {
      await cluster.allow('hostssl all all all trust');
      assert.equal(await encrypted('sslmode=allow'), true);
      assert.match(String(await encrypted('sslmode=disable')), /no encryption/);
    });

    test('sslcert and sslkey are the certificate of the client', async () => {
      await cluster.allow('hostssl all all all cert');
      const { key, certificate } = certificates.client;
      for (const mode of ['prefer', 'require', 'verify-full'])
        assert.equal(
          await encrypted(`sslmode=${mode}&${root()}&sslcert=${certificate}&sslkey=${key}`),
          true,
          mode,
        );
      assert.match(String(await encrypted('sslmode=require')), /certificate/);
    });

    test('a password of any characters is sent once it is encoded, also bound to the channel', async () => {
      const password = 'p#s/s@w:o?r%d é&=';
      await cluster.administer.writes.run(sql`CREATE ROLE careful LOGIN PASSWORD 'p#s/s@w:o?r%d é&='`);
      await cluster.allow('hostssl all all all scram-sha-256');
      for (const parameters of [
        'sslmode=require',
        'sslmode=require&channel_binding=require',
        'sslmode=allow',
        'sslmode=prefer',
      ]) {
        const session = await openSession({
          url: url(parameters, `careful:${encodeURIComponent(password)}`),
        });
        session.destroy(new Error('tried'));
      }
      const wrong = openSession({ url: url('sslmode=prefer', 'careful:wrong') });
      await assert.rejects(wrong, /password authentication failed|no encryption/);
    });
  });

  describe('to a server with a certificate for another name', () => {
    before(async () => {
      await serve(otherName);
      await cluster.allow('host all all all trust');
    });
    test(
      'only verify-full looks at the name',
      cases(() => ({
        [`sslmode=verify-full&sslrootcert=${otherName.authority}`]: /altname|does not match/i,
        [`sslmode=verify-ca&sslrootcert=${otherName.authority}`]: true,
        'sslmode=require': true,
      })),
    );
  });

  test('a file that cannot be read is named', () => {
    assert.throws(
      () => connect({ url: url('sslmode=verify-full&sslrootcert=/nowhere/root.pem') }),
      /^OperatorError: The file of sslrootcert in DATABASE_URL cannot be read: \/nowhere\/root\.pem$/,
    );
  });
});
