/** One server of a PostgreSQL URL. */
export interface DatabaseHost {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

export type SslMode = (typeof sslModes)[number];

/** The parts of a PostgreSQL URL, with the meaning that libpq gives them (PostgreSQL documentation, 34.1). Absent: the driver's default. */
export interface DatabaseAddress {
  readonly hosts: readonly [DatabaseHost, ...DatabaseHost[]];
  readonly user?: string;
  readonly password?: string;
  /** A file with the password, which is read for each session. */
  readonly passwordFile?: string;
  readonly database?: string;
  readonly options?: string;
  readonly applicationName?: string;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly sslMode: SslMode;
  /** File with certificates of authorities; absent: those that Node.js trusts. */
  readonly rootCertificate?: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly keyPassword?: string;
  readonly bindsChannel: boolean;
  readonly isDirectTls: boolean;
}

/** A URL that cannot be used. The message says what to change, without parts of the URL, which may be secret. */
export class InvalidDatabaseUrl extends Error {
  override readonly name = 'InvalidDatabaseUrl';
}

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

const defaultPort = 5432;

/** Parameters of libpq that restrict where or how to connect. Ignoring them could connect to another server, or with less protection. */
const unsupported = [
  'hostaddr',
  'require_auth',
  'requirepeer',
  'service',
  'ssl_max_protocol_version',
  'ssl_min_protocol_version',
  'sslcrl',
  'sslcrldir',
];

/** The attributes of `target_session_attrs` that a primary has. */
const primaryAttributes = ['any', 'read-write', 'primary'];

/**
 * Parses `postgres://user:password@host1:5432,host2/database?parameters` as libpq does. Parameters that only tune the connection, or are of
 * other programs, are ignored.
 * @throws InvalidDatabaseUrl
 */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const rest = /^postgres(?:ql)?:\/\/(.*)$/s.exec(text.trim())?.[1];
  if (rest === undefined) throw new InvalidDatabaseUrl(schemeAdvice(text));
  checkCharacters(rest);
  const { credentials, hosts, path, query } =
    /^(?:(?<credentials>[^@/?]*)@)?(?<hosts>[^/?]*)(?:\/(?<path>[^?]*))?(?:\?(?<query>.*))?$/s.exec(rest)!
      .groups as Record<string, string | undefined>;
  const parameters = parseParameters(query ?? '');
  const [user, password] = splitAt(credentials ?? '', ':').map(decode);
  const sslMode = parseSslMode(parameters);
  const rootCertificate = parameters.get('sslrootcert');
  if (sslMode === 'verify-ca' && rootCertificate === undefined)
    throw new InvalidDatabaseUrl(
      'sslmode=verify-ca needs sslrootcert, the file of the certificate authority; otherwise use sslmode=verify-full',
    );
  if (parameters.has('sslcert') !== parameters.has('sslkey'))
    throw new InvalidDatabaseUrl(
      'sslcert and sslkey are needed together: the certificate of the client, and its key',
    );
  checkTarget(parameters.get('target_session_attrs'));
  return {
    hosts: parseHosts(hosts!, parameters),
    ...given('user', parameters.get('user') ?? user),
    ...given('password', parameters.get('password') ?? password),
    ...given('passwordFile', parameters.get('passfile')),
    ...given('database', parameters.get('dbname') ?? decode(path ?? '')),
    ...given('options', parameters.get('options')),
    ...given('applicationName', parameters.get('application_name')),
    ...parseTimeout(parameters.get('connect_timeout')),
    sslMode,
    ...(rootCertificate !== 'system' && given('rootCertificate', rootCertificate)),
    ...given('certificate', parameters.get('sslcert')),
    ...given('key', parameters.get('sslkey')),
    ...given('keyPassword', parameters.get('sslpassword')),
    bindsChannel: parameters.get('channel_binding') === 'require',
    isDirectTls: parameters.get('sslnegotiation') === 'direct',
  };
}

function schemeAdvice(text: string): string {
  if (/^jdbc:/i.test(text))
    return 'expected an address that starts with postgres:// or postgresql://; leave out jdbc:';
  if (/^\s*\w+\s*=/.test(text))
    return 'expected an address such as postgres://user:password@host/database, not a list of host=… and dbname=…';
  return 'expected an address that starts with postgres:// or postgresql://';
}

/** Finds characters of user name and password that end their part of the address. @throws InvalidDatabaseUrl */
function checkCharacters(rest: string): void {
  const must = (character: string, code: string, more = '') => {
    throw new InvalidDatabaseUrl(
      `the user name or password contains ${character}, which has another meaning in an address: write ${code} for it${more}`,
    );
  };
  if (rest.includes('#')) must('#', '%23');
  const end = rest.search(/[/?]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const ats = authority.split('@').length - 1;
  if (ats > 1) must('@', '%40');
  const path = end < 0 ? '' : rest.slice(end).split('?', 1)[0]!;
  // Without an @ before it, the first / or ? belongs to the password if an @ follows and the part before it is no host.
  if (ats === 0 && path.includes('@')) must('/', '%2F', ', and %40 for @ in the name of the database');
  if (ats === 0 && rest[end] === '?' && rest.slice(end).includes('@')) must('?', '%3F');
  if (/%(?![0-9a-f]{2})/i.test(rest))
    throw new InvalidDatabaseUrl(
      'the address contains % without two hexadecimal digits: write %25 for % itself',
    );
}

function parseParameters(query: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const pair of query.split('&').filter(pair => pair !== '')) {
    const [name, value] = splitAt(pair, '=').map(decode) as [string, string | undefined];
    if (unsupported.includes(name))
      throw new InvalidDatabaseUrl(`the parameter ${name} is not supported: leave it out`);
    // An empty value counts as absent, as with libpq.
    if (value) parameters.set(name, value);
  }
  return parameters;
}

/** The hosts, from the parameters `host` and `port` if they are there. Each may be a list. */
function parseHosts(authority: string, parameters: ReadonlyMap<string, string>): DatabaseAddress['hosts'] {
  const listed = parameters.get('host');
  const written = authority.split(',').map(part => {
    const { name, port } = /^(?<name>\[[^\]]*\]|[^:]*)(?::(?<port>.*))?$/.exec(part)?.groups ?? {};
    if (name === undefined || port?.includes(':'))
      throw new InvalidDatabaseUrl(
        'a host has several colons: write an IPv6 address in brackets, such as [::1]:5432',
      );
    return { name: decode(name.replace(/^\[(.*)\]$/, '$1')), port: port ?? '' };
  });
  const names = listed === undefined ? written.map(({ name }) => name) : listed.split(',');
  const ports =
    parameters.get('port')?.split(',') ??
    (listed === undefined ? written : [written[0]!]).map(({ port }) => port);
  if (names.some(name => name === ''))
    throw new InvalidDatabaseUrl(
      'the host is missing: write postgres://user:password@host/database, or ?host=/run/postgresql for a Unix socket',
    );
  if (ports.length !== 1 && ports.length !== names.length)
    throw new InvalidDatabaseUrl('expected one port, or as many ports as hosts');
  return names.map((host, index) => ({
    host,
    port: parsePort(ports.length === 1 ? ports[0]! : ports[index]!),
  })) as unknown as DatabaseAddress['hosts'];
}

function parsePort(text: string): number {
  if (text === '') return defaultPort;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new InvalidDatabaseUrl(
      'the port is not a number from 1 to 65535; if the password contains : or /, write %3A or %2F for it',
    );
  return port;
}

function parseSslMode(parameters: ReadonlyMap<string, string>): SslMode {
  const mode = parameters.get('sslmode');
  const ssl = parameters.get('ssl');
  if (mode === 'no-verify' || ssl === 'no-verify')
    throw new InvalidDatabaseUrl(
      'sslmode=no-verify is of node-postgres: use sslmode=require, which encrypts and does not verify the server',
    );
  if (mode === undefined) return ssl === 'true' || ssl === '1' ? 'verify-full' : 'disable';
  const known = sslModes.find(name => name === mode);
  if (known === undefined) throw new InvalidDatabaseUrl(`sslmode must be one of ${sslModes.join(', ')}`);
  return known;
}

function checkTarget(attribute: string | undefined): void {
  if (attribute !== undefined && !primaryAttributes.includes(attribute))
    throw new InvalidDatabaseUrl(
      'target_session_attrs must be read-write: Kontor writes, so it connects to the primary only',
    );
}

/** 0 and negative numbers stand for no limit, which Kontor does not have. */
function parseTimeout(text: string | undefined): Pick<DatabaseAddress, 'timeout'> {
  if (text === undefined || /^-\d+$|^0+$/.test(text)) return {};
  if (!/^\d{1,4}$/.test(text))
    throw new InvalidDatabaseUrl('connect_timeout must be a number of seconds up to 9999');
  return { timeout: Number(text) * 1000 };
}

function given<Name extends string>(name: Name, value: string | undefined): { [N in Name]?: string } {
  return (value ? { [name]: value } : {}) as { [N in Name]?: string };
}

function splitAt(text: string, separator: string): [string] | [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InvalidDatabaseUrl('the address is not percent-encoded UTF-8');
  }
}
