import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { MailConfig } from '../../../src/app/mail-settings.ts';

/** A message that a mail server was given. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  /** By lower-case names, unfolded. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
  /** As it came over the wire. */
  readonly raw: string;
}

/** A rejection of a mail server. */
export function rejection(responseCode: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode });
}

/** The secret of the link in a mail. */
export function secretIn({ text }: Pick<ReceivedMail, 'text'>): string {
  const [, secret] = /#(kontorl_\S+)/.exec(text) ?? [];
  if (secret === undefined) throw new Error(`no link in: ${text}`);
  return secret;
}

/** What a mail server does with a command; it rejects by throwing {@link rejection}, and hangs while the promise is pending. */
type Decides = (value: string) => Promise<void> | void;

/** A mail server for a test: a real one, on a free port, that keeps what it takes. */
export interface MailServer {
  readonly port: number;
  /** What it has taken, in order. */
  readonly mails: readonly ReceivedMail[];
  /** Resolves when it has taken so many. */
  received(count: number): Promise<readonly ReceivedMail[]>;
  /** How it decides on recipients, and on messages, which it has received whole. */
  decide: { recipient: Decides; message: Decides };
  /** The settings of a service that sends by it, without encryption. */
  readonly settings: Partial<MailConfig>;
  /** The same as variables of a process. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts one; without more it offers no encryption and asks for no login. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const decide: MailServer['decide'] = { recipient() {}, message() {} };
  const server = new SMTPServer({
    disabledCommands: options.key ? [] : ['STARTTLS', 'AUTH'],
    authOptional: true,
    logger: false,
    onRcptTo(address, _session, done) {
      void settle(() => decide.recipient(address.address), done);
    },
    onData(stream, { envelope }, done) {
      void readText(stream).then(raw =>
        settle(async () => {
          await decide.message(raw);
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          mails.push({ from, to: envelope.rcptTo[0]!.address, ...parsed(raw) });
          for (const waiter of waiting) if (mails.length >= waiter.count) waiter.resolve();
        }, done),
      );
    },
    ...options,
  });
  // A client that is killed, or gives up, resets its connection.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    mails,
    decide,
    settings: {
      smtpHost: '127.0.0.1',
      smtpPort: port,
      smtpTls: 'none',
      mailFrom: { name: 'Kontor', address: 'kontor@example.com' },
    },
    variables: {
      KONTOR_SMTP_HOST: '127.0.0.1',
      KONTOR_SMTP_PORT: String(port),
      KONTOR_SMTP_TLS: 'none',
      KONTOR_MAIL_FROM: 'Kontor <kontor@example.com>',
      KONTOR_PUBLIC_URL: 'https://kontor.example.com/',
    },
    async received(count) {
      if (mails.length < count) await new Promise<void>(resolve => waiting.push({ count, resolve }));
      return mails;
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}

async function settle(work: () => Promise<void> | void, done: (error?: Error | null) => void): Promise<void> {
  let failure: Error | null = null;
  try {
    await work();
  } catch (error) {
    failure = error as Error;
  }
  done(failure);
}

async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** The headers of a message, and its two parts. */
function parsed(raw: string): Omit<ReceivedMail, 'from' | 'to'> {
  const { headers, body } = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1];
  const parts =
    boundary === undefined
      ? []
      : body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map(part => split(part.trimStart()));
  const part = (type: string) => decoded(parts.find(each => each.headers['content-type']?.startsWith(type)));
  return { headers, text: part('text/plain'), html: part('text/html'), raw };
}

interface Part {
  readonly headers: Record<string, string>;
  readonly body: string;
}

function split(message: string): Part {
  const end = message.indexOf('\r\n\r\n');
  const lines = message
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map(line => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), words(line.slice(colon + 2))];
  });
  return { headers: Object.fromEntries(headers) as Record<string, string>, body: message.slice(end + 4) };
}

/** A header without the encoding of its words (RFC 2047). */
function words(header: string): string {
  return header
    .replaceAll(/\?=\s+=\?UTF-8\?Q\?/gi, '')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, encoded: string) => unquoted(encoded.replaceAll('_', ' ')));
}

/** What quoted-printable stands for. */
function unquoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function decoded(part: Part | undefined): string {
  if (!part) return '';
  const { headers, body } = part;
  const encoding = headers['content-transfer-encoding'];
  const text =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString('utf8')
      : encoding === 'quoted-printable'
        ? unquoted(body.replaceAll(/=\r\n/g, ''))
        : body;
  return text.replaceAll('\r\n', '\n');
}
