import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type DatabaseAddress,
  InvalidDatabaseUrl,
  parseDatabaseUrl,
} from '../../src/db/servers/database-url.ts';

const plain = { sslMode: 'disable', bindsChannel: false, isDirectTls: false } as const;
const db = [{ host: 'db', port: 5432 }] as const;

/** Addresses as psql takes them, and as hosting providers show them. */
const valid: Record<string, Partial<DatabaseAddress>> = {
  'postgres://k:p@db/kontor': { hosts: db, user: 'k', password: 'p', database: 'kontor' },
  'postgresql://k@db:5433/kontor': { hosts: [{ host: 'db', port: 5433 }], user: 'k', database: 'kontor' },
  ' postgres://db \n': { hosts: db },
  'postgres://k:a:b@db/': { hosts: db, user: 'k', password: 'a:b' },
  'postgres://k%40server:p%23%2F%40%3F%25@db/a%20b': {
    hosts: db,
    user: 'k@server',
    password: 'p#/@?%',
    database: 'a b',
  },
  // Two hosts of libpq, with and without ports.
  'postgres://k:p@db,other:5433/kontor?target_session_attrs=read-write': {
    hosts: [...db, { host: 'other', port: 5433 }],
    user: 'k',
    password: 'p',
    database: 'kontor',
  },
  'postgresql:///kontor?host=db,other&port=5432,5433': {
    hosts: [...db, { host: 'other', port: 5433 }],
    database: 'kontor',
  },
  'postgres://[::1]:5433,[2001:db8::1]/kontor': {
    hosts: [
      { host: '::1', port: 5433 },
      { host: '2001:db8::1', port: 5432 },
    ],
    database: 'kontor',
  },
  // Sockets.
  'postgresql:///kontor?host=/run/postgresql': {
    hosts: [{ host: '/run/postgresql', port: 5432 }],
    database: 'kontor',
  },
  'postgresql://k@%2Frun%2Fpostgresql/kontor': {
    hosts: [{ host: '/run/postgresql', port: 5432 }],
    user: 'k',
    database: 'kontor',
  },
  // Cloud SQL.
  'postgres://k:p@/kontor?host=/cloudsql/project:region:instance': {
    hosts: [{ host: '/cloudsql/project:region:instance', port: 5432 }],
    user: 'k',
    password: 'p',
    database: 'kontor',
  },
  // Neon.
  'postgresql://k:p@ep-a-b.eu.aws.neon.tech/kontor?sslmode=require&channel_binding=require&connect_timeout=10':
    {
      hosts: [{ host: 'ep-a-b.eu.aws.neon.tech', port: 5432 }],
      user: 'k',
      password: 'p',
      database: 'kontor',
      sslMode: 'require',
      bindsChannel: true,
      timeout: 10_000,
    },
  // Supabase, with a parameter of Prisma.
  'postgres://postgres.ref:p@pooler.supabase.com:6543/postgres?pgbouncer=true': {
    hosts: [{ host: 'pooler.supabase.com', port: 6543 }],
    user: 'postgres.ref',
    password: 'p',
    database: 'postgres',
  },
  // RDS.
  'postgres://k:p@a.rds.amazonaws.com/kontor?sslmode=verify-full&sslrootcert=/etc/rds.pem': {
    hosts: [{ host: 'a.rds.amazonaws.com', port: 5432 }],
    user: 'k',
    password: 'p',
    database: 'kontor',
    sslMode: 'verify-full',
    rootCertificate: '/etc/rds.pem',
  },
  'postgres://db?user=k&password=p&dbname=kontor&options=-c%20work_mem%3D8MB&application_name=my%20app': {
    hosts: db,
    user: 'k',
    password: 'p',
    database: 'kontor',
    options: '-c work_mem=8MB',
    applicationName: 'my app',
  },
  'postgres://db?connect_timeout=0&sslmode=&sslrootcert=system': { hosts: db },
  'postgres://db?sslcert=/c.pem&sslkey=/k.pem&sslpassword=x&sslmode=prefer': {
    hosts: db,
    sslMode: 'prefer',
    certificate: '/c.pem',
    key: '/k.pem',
    keyPassword: 'x',
  },
};

const secret = 'Geheim';

/** Messages name the fault and the way out. */
const invalid: [url: string, advice: RegExp][] = [
  [`postgres://k3:${secret}#ss@127.0.0.1/db`, /contains #.*write %23/],
  [`postgres://k3:${secret}?ss@127.0.0.1/db`, /contains \?.*write %3F/],
  [`postgres://k3:${secret}/ss@127.0.0.1/db`, /contains \/.*write %2F/],
  [`postgres://k3:${secret}@ss@127.0.0.1/db`, /contains @.*write %40/],
  [`postgres://k3:${secret}%ss@127.0.0.1/db`, /contains % .*write %25/],
  [`postgres://k3:${secret}%ff@127.0.0.1/db`, /not percent-encoded UTF-8/],
  [`mysql://k:${secret}@host/db`, /starts with postgres:\/\/ or postgresql:\/\//],
  [`jdbc:postgresql://host/db?password=${secret}`, /leave out jdbc:/],
  [`host=db password=${secret}`, /not a list of host=/],
  ['localhost', /starts with postgres:\/\//],
  ['', /starts with postgres:\/\//],
  [`postgres://k:${secret}@/db`, /host is missing/],
  ['postgres:///db', /host is missing/],
  ['postgres://a,,b/db', /host is missing/],
  [`postgres://k:${secret}@host:99999/db`, /port is not a number from 1 to 65535/],
  [`postgres://k:${secret}@host:0/db`, /port is not a number/],
  [`postgres://k:${secret}/db`, /port is not a number.*password contains/],
  [`postgres://k:${secret}@::1/db`, /IPv6 address in brackets/],
  ['postgres://a,b,c/db?port=1,2', /one port, or as many ports as hosts/],
  ['postgres://h/db?sslmode=no-verify', /node-postgres: use sslmode=require/],
  ['postgres://h/db?ssl=no-verify', /node-postgres: use sslmode=require/],
  ['postgres://h/db?sslmode=verify-ca', /needs sslrootcert/],
  [
    'postgres://h/db?sslmode=verify_full',
    /must be one of disable, allow, prefer, require, verify-ca, verify-full/,
  ],
  ['postgres://h/db?sslmode=require&sslcert=/c.pem', /sslcert and sslkey are needed together/],
  ['postgres://h/db?target_session_attrs=standby', /must be read-write/],
  ['postgres://h/db?connect_timeout=soon', /number of seconds/],
  ['postgres://h/db?service=kontor', /service is not supported/],
];

describe('DATABASE_URL', () => {
  for (const [url, expected] of Object.entries(valid))
    test(`is read as libpq reads it: ${url.trim()}`, () =>
      assert.deepEqual(parseDatabaseUrl(url), { ...plain, ...expected }));

  for (const [url, advice] of invalid)
    test(`is rejected with the true reason: ${url}`, () =>
      assert.throws(
        () => parseDatabaseUrl(url),
        (error: Error) => {
          assert.ok(error instanceof InvalidDatabaseUrl);
          assert.match(error.message, advice);
          assert.ok(!error.message.includes(secret));
          return true;
        },
      ));

  test('takes any password once it is encoded', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), password => {
        const text = password.toWellFormed();
        const url = `postgres://k:${encodeURIComponent(text)}@db/kontor?sslmode=require`;
        assert.equal(parseDatabaseUrl(url).password, text);
      }),
    ));

  test('never shows a password that is not encoded', () =>
    fc.assert(
      fc.property(
        fc.stringMatching(/^[#?/@%:,&= ]{0,5}$/),
        fc.stringMatching(/^[#?/@%:,&= ]{0,5}$/),
        (start, end) => {
          try {
            parseDatabaseUrl(`postgres://k:${start}${secret}${end}@db/kontor`);
          } catch (error) {
            assert.ok(error instanceof InvalidDatabaseUrl);
            assert.ok(!error.message.includes(secret));
          }
        },
      ),
    ));
});
