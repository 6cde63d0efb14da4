import { tmpdir } from 'node:os';
import { pino } from 'pino';
import type { Sql } from '../database/sql.ts';
import type { Pool } from '../../../src/db/connect.ts';
import type { Files } from '../../../src/files/download.ts';
import type { MailConfig } from '../../../src/app/mail-settings.ts';
import type { Config } from '../../../src/config.ts';
import type { TrustedProxies } from '../../../src/http/client-address.ts';
import { startService as startWhole } from '../../../src/app/service.ts';
import { testPepper } from '../data/test-data.ts';

/** Settings without a mail server. */
const noMail: Omit<MailConfig, 'publicUrl'> = {
  smtpHost: null,
  smtpPort: 587,
  smtpTls: 'starttls',
  smtpUser: null,
  smtpPassword: null,
  smtpPasswordFile: null,
  mailFrom: null,
};

/** A mail server that is not used while the jobs stand still. */
export const someMail: Partial<MailConfig> = {
  smtpHost: 'mail.example.com',
  mailFrom: { name: 'Kontor', address: 'kontor@example.com' },
};

/** The service on a free port, in this process, on a database. */
export interface TestService {
  readonly url: string;
  readonly managementUrl: string;
  /** The log lines so far, as JSON text. */
  readonly log: readonly string[];
  stop(): Promise<void>;
}

/** The settings of the issuer, as an operator sets them. */
export interface OpenIdOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly clientKeyFile?: string;
  readonly clientAuthentication?: Config['openIdClientAuthentication'];
  readonly emails?: Config['openIdEmails'];
  readonly name: string;
}

interface StartOptions {
  readonly files?: Files;
  readonly reads?: Pool;
  readonly writes?: Pool;
  readonly jobInterval?: number;
  readonly digestTime?: Config['digestTime'];
  /** Null: where it listens. */
  readonly publicUrl?: string | null;
  /** The issuer that users may sign in at. */
  readonly openId?: OpenIdOptions;
  /** A free one when absent. */
  readonly port?: number;
  readonly trustedProxies?: TrustedProxies;
  readonly mail?: Partial<MailConfig>;
}

/**
 * Starts the service as `kontor serve` does, with a quota that tests do not reach by accident; files and pools in the place of its
 * own. Its jobs stand still unless it is given an interval, in seconds.
 */
export async function startService(
  sql: Sql,
  {
    files,
    jobInterval = 0,
    digestTime = { hour: 7, minute: 0, zone: 'Europe/Berlin' },
    publicUrl = 'https://kontor.example.com',
    openId,
    port = 0,
    trustedProxies,
    mail = {},
    ...pools
  }: StartOptions = {},
): Promise<TestService> {
  const log: string[] = [];
  const running = await startWhole({
    database: { ...sql.database, ...pools },
    ...(files && { files }),
    logger: pino({ level: 'info' }, { write: (line: string) => void log.push(line) }),
    config: {
      host: '127.0.0.1',
      port,
      publicUrl,
      trustedProxies: trustedProxies ?? null,
      forwardedHeader: 'x-forwarded-for',
      openIdIssuer: openId?.issuer ?? null,
      openIdClientId: openId?.clientId ?? null,
      openIdClientSecret: openId?.clientSecret ?? null,
      openIdClientSecretFile: null,
      openIdClientKeyFile: openId?.clientKeyFile ?? null,
      openIdClientAuthentication: openId?.clientAuthentication ?? null,
      openIdEmails: openId?.emails ?? 'verified',
      openIdName: openId?.name ?? null,
      managementHost: '127.0.0.1',
      managementPort: 0,
      dataDirectory: tmpdir(),
      pepper: testPepper.toString('utf8'),
      previousPepper: null,
      quota: { requests: 1_000_000, seconds: 60 },
      redisUrl: null,
      filesUrl: null,
      fileTimeout: 10,
      requestTimeout: 10,
      listsPerKey: null,
      poolSize: 10,
      jobInterval,
      digestTime,
      ...noMail,
      ...mail,
    },
  });
  const { baseUrl, managementUrl } = running;
  return { url: new URL(baseUrl).origin, managementUrl: managementUrl!, log, stop: () => running.stop(0) };
}
