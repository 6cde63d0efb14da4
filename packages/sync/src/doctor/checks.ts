import { connect } from 'node:tls';
import { ApiError, AuthenticationError, type Kontor, KontorError, PermissionError } from '@kontor/sdk';
import type { Connection } from '../config.ts';
import { readQuota, tryCreate } from '../server.ts';
import { readerOf, resourceTypes } from '../pull/resource-types.ts';
import { messageOf } from '../sync-error.ts';

/** The contract that this program was made for. */
export const contractVersion = '1.0.0';

/** The result of a check. `todo` says what a person does about it; null: nothing. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'attention' | 'failed';
  readonly text: string;
  readonly todo: string | null;
}

const checkOf =
  (state: Check['state']) =>
  (name: string, text: string, todo: string): Check => ({ name, state, text, todo });
const ok = (name: string, text: string): Check => ({ name, state: 'ok', text, todo: null });
const [attention, failed] = [checkOf('attention'), checkOf('failed')];

/** No retries: a person waits. */
const once = { maxRetries: 0, timeout: 10_000, maxQuotaWait: 0 } as const;
const maxClockDifference = 60_000;
const minDays = 14;
/** Requests a minute below which a night takes long. */
const minQuota = 60;

/** The checks in their order. They end where a later one could not succeed. */
export async function runChecks(connection: Connection, kontor: Kontor): Promise<Check[]> {
  const url = new URL(connection.baseUrl);
  const certificate = await checkCertificate(url);
  const sentAt = Date.now();
  const answer = await kontor
    .health(once)
    .withResponse()
    .catch((error: unknown) => error as Error);
  if (answer instanceof Error) return [addressOf(connection, answer), certificate];
  const receivedAt = Date.now();
  const checks = [
    ok('address', `${connection.baseUrl} answers after ${receivedAt - sentAt} ms`),
    certificate,
    checkClock(answer.response.headers.get('date'), sentAt, receivedAt),
    checkContract(answer.data.version),
  ];
  return [...checks, ...(await checkKey(connection, kontor))];
}

function addressOf({ baseUrl }: Connection, error: Error): Check {
  const text = `${baseUrl}: ${messageOf(error)}`;
  if (error instanceof ApiError && error.status >= 500 && error.code !== 'UNEXPECTED_ANSWER')
    return failed('address', text, 'Kontor is not available: try again later, or ask its operator');
  if (error instanceof ApiError || (error instanceof KontorError && error.code === 'UNEXPECTED_ANSWER'))
    return failed('address', text, 'set baseUrl to the address of the API, which ends in /v1');
  if (text.includes('ERR_SSL_WRONG_VERSION_NUMBER'))
    return failed('address', text, 'this port does not answer https: correct the port in baseUrl');
  return failed(
    'address',
    text,
    'check the name and port in baseUrl, the network, the firewall, and HTTPS_PROXY with NODE_USE_ENV_PROXY=1',
  );
}

const advice: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its operator renews it; if it is valid, set the clock of this machine',
  CERT_NOT_YET_VALID: 'set the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'use one of its names in baseUrl',
};

async function checkCertificate(url: URL): Promise<Check> {
  if (url.protocol === 'http:') {
    if (/^(localhost|127\.|\[::1\])/.test(url.hostname))
      return ok('certificate', 'none is needed on this machine');
    return attention(
      'certificate',
      'the key and all data cross the network in plain text',
      'use https in baseUrl',
    );
  }
  try {
    const { fault, names, validTo } = await readCertificate(url);
    const day = validTo.toISOString().slice(0, 10);
    if (fault !== null)
      return failed(
        'certificate',
        `this machine rejects it: ${fault}; it is for ${names || 'no name'}, until ${day}`,
        advice[fault] ?? 'set NODE_EXTRA_CA_CERTS to a file with the certificate of its issuer, in PEM',
      );
    const days = Math.floor((validTo.getTime() - Date.now()) / 86_400_000);
    if (days < minDays)
      return attention('certificate', `expires in ${days} days, on ${day}`, 'tell the operator of Kontor');
    return ok('certificate', `is trusted, and valid until ${day}`);
  } catch (error) {
    return attention(
      'certificate',
      `cannot be read: ${(error as NodeJS.ErrnoException).code ?? messageOf(error)}`,
      'nothing, if the address answers through a proxy',
    );
  }
}

/** The header has whole seconds, so half of one is added. */
function checkClock(date: string | null, sentAt: number, receivedAt: number): Check {
  const server = Date.parse(date ?? '') + 500;
  if (Number.isNaN(server)) return ok('clock', 'Kontor did not send its time');
  const difference = (sentAt + receivedAt) / 2 - server;
  const seconds = Math.round(Math.abs(difference) / 1000);
  if (seconds * 1000 <= maxClockDifference) return ok('clock', 'agrees with Kontor');
  return attention(
    'clock',
    `this machine is ${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} Kontor`,
    'set it by NTP: it decides whether a killed run may repeat its writes',
  );
}

function checkContract(version: string): Check {
  const text = `Kontor has contract ${version}, this program was made for ${contractVersion}`;
  if (version === contractVersion) return ok('contract', text);
  return attention('contract', text, 'install the kontor-sync of the release of Kontor');
}

async function checkKey(connection: Connection, kontor: Kontor): Promise<Check[]> {
  const counts: string[] = [];
  let limit: AuthenticationError | null = null;
  let quota: Check = ok('quota', 'none');
  for (const type of resourceTypes) {
    const name = type.replaceAll('-', ' ');
    // The message names what the key is for. More rejected requests would be reported as those of a failing key.
    if (limit !== null && !limit.message.replaceAll('-', ' ').includes(name)) continue;
    try {
      const list = readerOf(kontor, type).list({ sort: 'updatedAt', pageSize: 1, ...once });
      const { data, response } = await list.page().withResponse();
      counts.push(`${data.totalElements.toLocaleString('en')} ${name}`);
      quota = checkQuota(response.headers);
    } catch (error) {
      if (!(error instanceof AuthenticationError)) return [failedKey(error)];
      limit ??= error;
    }
  }
  if (counts.length === 0) return [failedKey(limit)];
  const key = ok('key', limit === null ? 'is valid, and reads all types' : `is valid: ${messageOf(limit)}`);
  const scope = connection.hasColumns ? await checkWrites(connection, kontor) : null;
  return [key, scope ?? ok('scope', counts.join(', ')), quota];
}

function failedKey(error: unknown): Check {
  if (error instanceof PermissionError)
    return failed(
      'scope',
      messageOf(error),
      'set tenant to a company of the key, or use a key of this company',
    );
  if (error instanceof AuthenticationError)
    return failed(
      'key',
      messageOf(error),
      'put an active key into KONTOR_API_KEY, or into the file of keyFile',
    );
  return failed('key', messageOf(error), 'try again later');
}

/** A dry run of a new person without a division tells what the key covers. Null: nothing is wrong. */
async function checkWrites({ access }: Connection, kontor: Kontor): Promise<Check | null> {
  try {
    const { divisionId } = await tryCreate(kontor, once);
    return divisionId === null ? null : checkAccess(access);
  } catch (error) {
    if (error instanceof AuthenticationError)
      return attention(
        'scope',
        messageOf(error),
        'use a key that writes employees and divisions, except for pull',
      );
    if (!(error instanceof ApiError)) return failed('scope', messageOf(error), 'try again later');
    if (error.code === 'TENANT_CONTEXT_AMBIGUOUS')
      return failed('scope', messageOf(error), 'set tenant to the company of the file');
    return error.code === 'EMPLOYEE_PLACEMENT_AMBIGUOUS' ? checkAccess(access) : null;
  }
}

const checkAccess = (access: Connection['access']) =>
  access === 'divisions'
    ? null
    : attention(
        'scope',
        'the key covers some divisions only, so it does not learn of all changes',
        'set "access": "divisions", so that everything is read each night',
      );

function checkQuota(headers: Headers): Check {
  const quota = readQuota(headers);
  if (quota === null) return ok('quota', 'none');
  const [, remaining] = /;\s*r=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  const { requests, seconds } = quota;
  const text = `${requests.toLocaleString('en')} requests in ${seconds} s, ${remaining ?? 'unknown'} left`;
  if ((requests / seconds) * 60 >= minQuota) return ok('quota', text);
  return attention('quota', text, 'ask the operator of Kontor for more: each written person is a request');
}

/** The certificate of a server, as this machine sees it. */
interface Certificate {
  /** Why this machine does not trust it, as a code of OpenSSL; null if it does. */
  readonly fault: string | null;
  readonly names: string;
  readonly validTo: Date;
}

/** Reads the certificate of an address, also one that is not trusted. Nothing is sent. @throws Error without a connection */
function readCertificate({ hostname, port }: URL): Promise<Certificate> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve, reject } = Promise.withResolvers<Certificate>();
  const servername = /^[\d.]+$|:/.test(host) ? undefined : host;
  const socket = connect({
    host,
    port: port === '' ? 443 : Number(port),
    rejectUnauthorized: false,
    ...(servername !== undefined && { servername }),
  });
  socket.setTimeout(once.timeout, () => socket.destroy(new Error('no answer')));
  socket.once('error', reject);
  socket.once('secureConnect', () => {
    const { subjectaltname: names = '', valid_to: validTo } = socket.getPeerCertificate();
    // Node has the code as a string here, whatever the type says.
    const fault = socket.authorizationError as unknown as string | null | undefined;
    resolve({
      fault: fault ?? null,
      names: names.replaceAll(/(?:DNS|IP Address):/g, ''),
      validTo: new Date(validTo),
    });
    socket.destroy();
  });
  return promise;
}
