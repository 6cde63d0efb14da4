import { compile } from '@fastify/proxy-addr';
import type { QuotaPolicy } from './auth/caller.ts';
import { pepperMinimum } from './auth/secrets.ts';
import { InvalidDatabaseUrl, parseDatabaseUrl } from './db/servers/database-url.ts';
import { parseS3Url } from './files/s3-url.ts';
import { type TrustedProxies, forwardedHeaders } from './http/client-address.ts';
import { urlOf } from './http/listen.ts';
import type { MailAddress } from './mail/smtp.ts';
import type { TraceSampler } from './telemetry/traces.ts';

/** A row of the configuration table. Options override variables, and variables override defaults. */
interface Setting<T, Default extends string | undefined = string | undefined> {
  readonly variable: string;
  /** The long option, without dashes; absent for secrets, which a command line would reveal. */
  readonly option?: string;
  /** Stands for the value in `--help` and in the documentation. */
  readonly placeholder: string;
  /** In the form of the variable; absent: none. */
  readonly default?: Default;
  readonly meaning: string;
  /** @throws ConfigError with the expected form, without the name of the setting. */
  readonly parse: (text: string) => T;
}

/** An invalid configuration value. The message is one line that names the variable or option. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Parses a number without sign and fraction. */
export function integer(min: number, max: number): (text: string) => number {
  return text => {
    const value = Number(text);
    if (!/^[0-9]{1,12}$/.test(text) || value < min || value > max)
      throw new ConfigError(`expected a whole number from ${min} to ${max}`);
    return value;
  };
}

export function oneOf<Value extends string>(values: readonly Value[]): (text: string) => Value {
  return text => {
    const value = values.find(known => known === text);
    if (value === undefined) throw new ConfigError(`expected one of ${values.join(', ')}`);
    return value;
  };
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const satisfies readonly TraceSampler[];

const port = integer(0, 65_535);

function share(value: string): number {
  if (!/^(0?\.[0-9]+|[01](\.0*)?)$/.test(value))
    throw new ConfigError('expected a number from 0 to 1, such as 0.1');
  return Number(value);
}

function text(value: string): string {
  if (value.trim() === '') throw new ConfigError('expected a value that is not empty');
  return value;
}

function url(...schemes: string[]): (text: string) => string {
  return value => {
    const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : '';
    if (!schemes.includes(scheme))
      throw new ConfigError(
        `expected an address that starts with ${schemes.map(name => `${name}://`).join(' or ')}`,
      );
    return value;
  };
}

export const quotaLimits = '1 to 999999999 requests in 1 to 86400 seconds';

/** Parses requests/seconds, e.g. `600/60`. */
export function parseQuota(value: string): QuotaPolicy {
  const match = /^([0-9]{1,9})\/([0-9]{1,5})$/.exec(value);
  const quota = { requests: Number(match?.[1]), seconds: Number(match?.[2]) };
  if (!match || quota.requests < 1 || quota.seconds < 1 || quota.seconds > 86_400)
    throw new ConfigError(`expected requests/seconds such as 600/60: ${quotaLimits}`);
  return quota;
}

function pepper(value: string): string {
  if (value.length < pepperMinimum)
    throw new ConfigError(`expected a secret of at least ${pepperMinimum} characters`);
  return value;
}

/** Parses an address with or without a name: `Kontor <kontor@example.com>`. */
function mailAddress(value: string): MailAddress {
  const {
    name = '',
    named,
    single,
  } = /^(?:(?<name>[^<>"\p{Cc}]*?) *<(?<named>[^<>]+)>|(?<single>[^<>]+))$/u.exec(value)?.groups ?? {};
  const address = named ?? single ?? '';
  if (!/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(address))
    throw new ConfigError('expected an address such as kontor@example.com, or Kontor <kontor@example.com>');
  return { name, address };
}

/** A time of the day in a time zone. */
export interface DailyTime {
  readonly hour: number;
  readonly minute: number;
  readonly zone: string;
}

/** Parses a time with its zone: `07:00 Europe/Berlin`. */
function dailyTime(value: string): DailyTime {
  const match = /^([01][0-9]|2[0-3]):([0-5][0-9]) ([A-Za-z][A-Za-z0-9_+/-]*)$/.exec(value);
  const zone = match?.[3] ?? '';
  if (!Intl.supportedValuesOf('timeZone').includes(zone) && zone !== 'UTC')
    throw new ConfigError('expected a time and a zone such as 07:00 Europe/Berlin');
  return { hour: Number(match![1]), minute: Number(match![2]), zone };
}

function setting<T, Default extends string | undefined = undefined>(
  row: Setting<T, Default>,
): Setting<T, Default> {
  return row;
}

function databaseUrl(value: string): string {
  try {
    parseDatabaseUrl(value);
    return value;
  } catch (error) {
    if (!(error instanceof InvalidDatabaseUrl)) throw error;
    throw new ConfigError(error.message);
  }
}

function s3Url(value: string): string {
  if (parseS3Url(value) === null)
    throw new ConfigError('expected s3://bucket/prefix, with ?endpoint=https://… and &region=… where needed');
  return value;
}

/** Parses a list such as `10.0.0.0/8, ::1`. */
export function trustedProxies(list: string): TrustedProxies {
  try {
    return compile(list.split(',').map(part => part.trim()));
  } catch {
    throw new ConfigError('expected addresses and networks such as 127.0.0.1,10.0.0.0/8,::1');
  }
}

/** All configuration values. `--help` and docs/configuration.md are generated from this table. */
export const settings = {
  port: setting({
    variable: 'PORT',
    option: 'port',
    placeholder: 'number',
    default: '8080',
    meaning: 'Port of the public API; 0: any free port',
    parse: port,
  }),
  host: setting({
    variable: 'HOST',
    option: 'host',
    placeholder: 'address',
    default: '127.0.0.1',
    meaning: 'Listen address of the public API',
    parse: text,
  }),
  managementPort: setting({
    variable: 'MANAGEMENT_PORT',
    option: 'management-port',
    placeholder: 'number',
    default: '8081',
    meaning: 'Port of the platform API, /metrics, /livez and /readyz; 0: any free port',
    parse: port,
  }),
  managementHost: setting({
    variable: 'MANAGEMENT_HOST',
    option: 'management-host',
    placeholder: 'address',
    default: '127.0.0.1',
    meaning:
      'Listen address of the management port. Keep it private: /metrics, /livez and /readyz have no authentication',
    parse: text,
  }),
  publicUrl: setting({
    variable: 'KONTOR_PUBLIC_URL',
    option: 'public-url',
    placeholder: 'url',
    meaning:
      'Public address, such as https://kontor.example.com, for links and the domain of passkeys; absent: HOST and PORT',
    parse: url('http', 'https'),
  }),
  trustedProxies: setting({
    variable: 'KONTOR_TRUSTED_PROXIES',
    option: 'trusted-proxies',
    placeholder: 'addresses',
    meaning:
      'Trusted proxies, such as 127.0.0.1,10.0.0.0/8. They name the client in a header; absent: the peer of the connection is the client',
    parse: trustedProxies,
  }),
  forwardedHeader: setting({
    variable: 'KONTOR_FORWARDED_HEADER',
    option: 'forwarded-header',
    placeholder: 'name',
    default: 'x-forwarded-for',
    meaning:
      'Header in which the trusted proxies name the client: x-forwarded-for, or forwarded (RFC 7239). The other one is ignored, as clients can send it',
    parse: value => oneOf(forwardedHeaders)(value.toLowerCase()),
  }),
  openIdIssuer: setting({
    variable: 'KONTOR_OPENID_ISSUER',
    option: 'openid-issuer',
    placeholder: 'url',
    meaning:
      'OpenID Connect issuer for users of the portal. It redirects to /portal/sign-in/openid of the public address',
    parse: url('http', 'https'),
  }),
  openIdClientId: setting({
    variable: 'KONTOR_OPENID_CLIENT_ID',
    option: 'openid-client-id',
    placeholder: 'text',
    meaning: 'Client identifier at the issuer',
    parse: text,
  }),
  openIdClientSecret: setting({
    variable: 'KONTOR_OPENID_CLIENT_SECRET',
    placeholder: 'secret',
    meaning: 'Client secret at the issuer',
    parse: text,
  }),
  openIdClientSecretFile: setting({
    variable: 'KONTOR_OPENID_CLIENT_SECRET_FILE',
    option: 'openid-client-secret-file',
    placeholder: 'file',
    meaning: 'File with the client secret',
    parse: text,
  }),
  openIdClientKeyFile: setting({
    variable: 'KONTOR_OPENID_CLIENT_KEY_FILE',
    option: 'openid-client-key-file',
    placeholder: 'file',
    meaning:
      'File with a private key instead of the secret (private_key_jwt): PEM, for Entra ID with its certificate, or JWK',
    parse: text,
  }),
  openIdClientAuthentication: setting({
    variable: 'KONTOR_OPENID_CLIENT_AUTHENTICATION',
    option: 'openid-client-authentication',
    placeholder: 'method',
    meaning:
      'How the issuer receives the client secret: client_secret_basic or client_secret_post; absent: as its metadata says',
    parse: oneOf(['client_secret_basic', 'client_secret_post'] as const),
  }),
  openIdEmails: setting({
    variable: 'KONTOR_OPENID_EMAILS',
    option: 'openid-emails',
    placeholder: 'mode',
    default: 'verified',
    meaning:
      'Emails of the issuer that identify invited users: verified (with the claim email_verified), or trusted (also without it). The issuer must then let no user choose their email',
    parse: oneOf(['verified', 'trusted'] as const),
  }),
  openIdName: setting({
    variable: 'KONTOR_OPENID_NAME',
    option: 'openid-name',
    placeholder: 'text',
    meaning: 'Name of the issuer on the sign-in page; absent: its host',
    parse: text,
  }),
  smtpHost: setting({
    variable: 'KONTOR_SMTP_HOST',
    option: 'smtp-host',
    placeholder: 'name',
    meaning: 'Mail server; needs KONTOR_MAIL_FROM. Absent: no mails are sent, and invitations are printed',
    parse: text,
  }),
  smtpPort: setting({
    variable: 'KONTOR_SMTP_PORT',
    option: 'smtp-port',
    placeholder: 'number',
    default: '587',
    meaning: 'Port of the mail server',
    parse: integer(1, 65_535),
  }),
  smtpTls: setting({
    variable: 'KONTOR_SMTP_TLS',
    option: 'smtp-tls',
    placeholder: 'mode',
    default: 'starttls',
    meaning:
      'Encryption to the mail server: starttls (required), implicit (TLS from the first byte, port 465) or none. NODE_EXTRA_CA_CERTS adds a CA of your own',
    parse: oneOf(['starttls', 'implicit', 'none'] as const),
  }),
  smtpUser: setting({
    variable: 'KONTOR_SMTP_USER',
    option: 'smtp-user',
    placeholder: 'name',
    meaning: 'User at the mail server; absent: no authentication',
    parse: text,
  }),
  smtpPassword: setting({
    variable: 'KONTOR_SMTP_PASSWORD',
    placeholder: 'secret',
    meaning: 'Password at the mail server',
    parse: text,
  }),
  smtpPasswordFile: setting({
    variable: 'KONTOR_SMTP_PASSWORD_FILE',
    option: 'smtp-password-file',
    placeholder: 'file',
    meaning: 'File with the password at the mail server, such as a systemd credential',
    parse: text,
  }),
  mailFrom: setting({
    variable: 'KONTOR_MAIL_FROM',
    option: 'mail-from',
    placeholder: 'address',
    meaning: 'Sender of mails, such as Kontor <kontor@example.com>',
    parse: mailAddress,
  }),
  workers: setting({
    variable: 'KONTOR_WORKERS',
    option: 'workers',
    placeholder: 'number',
    default: '1',
    meaning:
      'Processes that share the port, each with its own database connections. From 2 on, another process replaces those that exit',
    parse: integer(1, 64),
  }),
  dataDirectory: setting({
    variable: 'KONTOR_DATA_DIR',
    option: 'data-dir',
    placeholder: 'folder',
    default: '.kontor',
    meaning: 'Folder of the embedded PostgreSQL and of the generated pepper',
    parse: text,
  }),
  databaseUrl: setting({
    variable: 'DATABASE_URL',
    option: 'database-url',
    placeholder: 'url',
    meaning:
      'PostgreSQL server, 15 or newer, as libpq writes it: postgres://user:password@host1:5432,host2/database?sslmode=verify-full; absent: the embedded one in the data folder',
    parse: databaseUrl,
  }),
  redisUrl: setting({
    variable: 'REDIS_URL',
    option: 'redis-url',
    placeholder: 'url',
    meaning:
      'Redis or Valkey for the quotas of several services; absent: each service counts in memory, for all of its workers',
    parse: url('redis', 'rediss'),
  }),
  pepper: setting({
    variable: 'KONTOR_KEY_PEPPER',
    placeholder: 'secret',
    meaning: `Secret of the API key hashes, at least ${pepperMinimum} characters, equal for all processes, and changed only by a rotation; absent: the file \`pepper\` in the data folder, which Kontor creates`,
    parse: pepper,
  }),
  previousPepper: setting({
    variable: 'KONTOR_KEY_PEPPER_PREVIOUS',
    placeholder: 'secret',
    meaning:
      'Another pepper whose hashes are accepted while the pepper is rotated; absent: the file `pepper.previous` in the data folder, if it is there and KONTOR_KEY_PEPPER is absent',
    parse: pepper,
  }),
  quota: setting({
    variable: 'KONTOR_QUOTA',
    option: 'default-quota',
    placeholder: 'requests/seconds',
    default: '600/60',
    meaning: `Default quota of API keys: ${quotaLimits}`,
    parse: parseQuota,
  }),
  filesUrl: setting({
    variable: 'FILES_URL',
    option: 'files-url',
    placeholder: 'url',
    meaning:
      'S3-compatible file store, s3://bucket/prefix?endpoint=…&region=…; absent: the database. Needs the variables of the AWS SDK (AWS_ACCESS_KEY_ID …) and the packages @aws-sdk/client-s3 and @aws-sdk/lib-storage',
    parse: s3Url,
  }),
  fileTimeout: setting({
    variable: 'KONTOR_FILE_TIMEOUT',
    option: 'file-timeout',
    placeholder: 'seconds',
    default: '10',
    meaning: 'Seconds to wait for the file store to answer or to continue',
    parse: integer(1, 3600),
  }),
  statementTimeout: setting({
    variable: 'KONTOR_STATEMENT_TIMEOUT',
    option: 'statement-timeout',
    placeholder: 'seconds',
    default: '5',
    meaning: 'Maximum seconds of a database statement of a request; then 503',
    parse: integer(1, 3600),
  }),
  requestTimeout: setting({
    variable: 'KONTOR_REQUEST_TIMEOUT',
    option: 'request-timeout',
    placeholder: 'seconds',
    default: '10',
    meaning: 'Maximum seconds of a request after its arrival; then 503. The file store has its own timeout',
    parse: integer(1, 3600),
  }),
  listsPerKey: setting({
    variable: 'KONTOR_LISTS_PER_KEY',
    option: 'lists-per-key',
    placeholder: 'number',
    meaning:
      'Maximum database connections of a process for lists that one API key, user or token uses at once; others wait. Absent: a third',
    parse: integer(1, 1000),
  }),
  poolSize: setting({
    variable: 'KONTOR_POOL_SIZE',
    option: 'pool-size',
    placeholder: 'number',
    default: '10',
    meaning:
      'Maximum database connections of a process for lists; the same number for other reads, and for writes',
    parse: integer(1, 1000),
  }),
  jobInterval: setting({
    variable: 'KONTOR_JOB_INTERVAL',
    option: 'job-interval',
    placeholder: 'seconds',
    default: '60',
    meaning:
      'Seconds between runs of the scheduled jobs; mails are sent at least every 5 seconds. 0: this process runs none',
    parse: integer(0, 86_400),
  }),
  digestTime: setting({
    variable: 'KONTOR_DIGEST_TIME',
    option: 'digest-time',
    placeholder: 'time',
    default: '07:00 Europe/Berlin',
    meaning: 'Time of the day with its zone from which users get the mail about new work, at most once a day',
    parse: dailyTime,
  }),
  drain: setting({
    variable: 'KONTOR_DRAIN',
    option: 'drain',
    placeholder: 'seconds',
    meaning:
      'Seconds after Ctrl-C or SIGTERM in which /readyz answers 503 and requests are still served; absent: 5, or 0 if HOST is a loopback address and systemd passes no socket',
    parse: integer(0, 3600),
  }),
  shutdownGrace: setting({
    variable: 'KONTOR_SHUTDOWN_GRACE',
    option: 'shutdown-grace',
    placeholder: 'seconds',
    default: '10',
    meaning: 'Seconds for requests in flight after the drain',
    parse: integer(0, 3600),
  }),
  otlpEndpoint: setting({
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    option: 'otlp-endpoint',
    placeholder: 'url',
    meaning: 'OpenTelemetry collector (OTLP over HTTP), such as http://127.0.0.1:4318; absent: no traces',
    parse: url('http', 'https'),
  }),
  tracesSampler: setting({
    variable: 'OTEL_TRACES_SAMPLER',
    option: 'traces-sampler',
    placeholder: 'sampler',
    default: 'parentbased_always_on',
    meaning: `Which requests are traced: ${samplers.join(', ')}. With parentbased_, the traceparent of a request decides first`,
    parse: oneOf(samplers),
  }),
  tracesSamplerArg: setting({
    variable: 'OTEL_TRACES_SAMPLER_ARG',
    option: 'traces-sampler-arg',
    placeholder: 'share',
    default: '1',
    meaning: 'Share of the requests for traceidratio, from 0 to 1',
    parse: share,
  }),
  logLevel: setting({
    variable: 'KONTOR_LOG_LEVEL',
    option: 'log-level',
    placeholder: 'level',
    default: 'info',
    meaning: `Minimum level of the log: ${logLevels.join(', ')}; debug also prints the stack of an error`,
    parse: oneOf(logLevels),
  }),
} as const;

export type SettingName = keyof typeof settings;

type Value<N extends SettingName> = ReturnType<(typeof settings)[N]['parse']>;
type DefaultOf<N extends SettingName> =
  (typeof settings)[N] extends Setting<unknown, infer Default> ? Default : never;

/** The parsed configuration. Settings without a default may be null. */
export type Config = {
  readonly [N in SettingName]: DefaultOf<N> extends string ? Value<N> : Value<N> | null;
};

/**
 * Seconds of the drain. The default leaves load balancers enough time. On a loopback address only a proxy needs it, whose socket systemd passes: it
 * then sends nothing more on the connections that it keeps.
 */
export function drainSeconds(
  { drain, host }: Pick<Config, 'drain' | 'host'>,
  socket: number | null = null,
): number {
  return drain ?? (socket === null && /^(localhost|127\.[0-9.]+|::1)$/i.test(host) ? 0 : 5);
}

/** The public address, without a path. */
export function publicUrlOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl ?? urlOf(host, port);
}

/** The text of a setting, with the name of its option or variable; null: none. */
function written(
  row: Setting<unknown>,
  option: string | undefined,
  variables: Readonly<Record<string, string | undefined>>,
): { text: string; name: string } | null {
  if (option !== undefined) return { text: option, name: `--${row.option}` };
  const variable = variables[row.variable];
  // A variable that is set but empty counts as absent: container tools cannot unset one.
  if (variable !== undefined && variable !== '') return { text: variable, name: row.variable };
  return row.default === undefined ? null : { text: row.default, name: row.variable };
}

/**
 * Parses only the settings `names`, from options (by setting name) and environment variables.
 * @throws ConfigError with one line that names the option or variable. It never repeats the value, which may be a secret.
 */
export function readConfig<Name extends SettingName>(
  names: readonly Name[],
  options: Readonly<Partial<Record<SettingName, string>>>,
  variables: Readonly<Record<string, string | undefined>>,
): Pick<Config, Name> {
  const config: Partial<Record<SettingName, unknown>> = {};
  for (const name of names) {
    const row: Setting<unknown> = settings[name];
    const value = written(row, options[name], variables);
    try {
      config[name] = value === null ? null : row.parse(value.text);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw new ConfigError(`${value!.name} is invalid: ${error.message}`);
    }
  }
  return config as Pick<Config, Name>;
}
