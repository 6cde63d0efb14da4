import { Socket } from 'node:net';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';

/** The sender of mails; the name may be empty. */
export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** The mail server, and the sender of mails. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  readonly tls: 'starttls' | 'implicit' | 'none';
  readonly login: { readonly user: string; readonly password: string } | null;
  readonly from: MailAddress;
  /** The address of the service for people, without a path: links begin with it. */
  readonly publicUrl: string;
}

/** Milliseconds that each step of a delivery may take. In all they are less than a minute, see `whileAlone`. */
export const stepDeadlines = { connect: 15_000, login: 10_000, send: 20_000 };

export type SmtpStep = keyof typeof stepDeadlines;

/** A message as it goes over the wire, with its envelope. */
export interface Message {
  readonly from: string;
  readonly to: string;
  readonly content: Buffer;
}

/** The details of a failure that the SMTP client adds to its message. */
interface ClientError extends Error {
  readonly code?: string | undefined;
  readonly command?: string | undefined;
  readonly response?: string | undefined;
  readonly responseCode?: number | undefined;
}

/** A mail that the server did not accept. The message leaves out the reply of the server, which may name the address. */
export class SmtpFailure extends Error {
  override readonly name = 'SmtpFailure';
  readonly step: SmtpStep;
  /** The code of the SMTP client, such as EAUTH or ETIMEDOUT. */
  readonly code: string;
  /** The command that was rejected, such as RCPT TO; null where it was none. */
  readonly command: string | null;
  /** The three digits of the reply; null where there was none. */
  readonly reply: number | null;
  /** The reply of the server, or another reason. For `kontor mail test`, never for the log. */
  readonly serverText: string;
  /** Whether this mail will never be taken. Another one may be. */
  readonly isFinal: boolean;

  constructor(step: SmtpStep, error: ClientError) {
    const { code = 'UNKNOWN', command, response, responseCode } = error;
    const named = command !== undefined && command !== 'CONN' && command !== 'API' ? command : null;
    super(`the mail server did not accept a mail: ${step}, ${code}${responseCode ? ` ${responseCode}` : ''}`);
    this.step = step;
    this.code = code;
    this.command = named;
    this.reply = responseCode ?? null;
    this.serverText = response ?? error.message;
    this.isFinal = isAboutMail(named) && isFinalReply(this.reply, response ?? '');
  }

  /** Whether the failure is about this mail only, so that the next one need not wait. */
  get isOfMail(): boolean {
    return isAboutMail(this.command) && this.reply !== null && this.reply !== 421;
  }
}

function isAboutMail(command: string | null): boolean {
  return command === 'RCPT TO' || command === 'DATA';
}

/** 5xx, but not 5.7.x (RFC 3463): that is a rule of the server, such as a missing login, which the operator can change. */
function isFinalReply(reply: number | null, response: string): boolean {
  return reply !== null && reply >= 500 && !/^5\d\d[ -]5\.7\./.test(response);
}

/** Max bytes that a mail server may send during a delivery. The client limits a reply, but not their number. */
const maxBytesRead = 65_536;

/** Milliseconds between two checks of the bytes. */
const checkInterval = 50;

/** Milliseconds that a delivery may go on when the service stops. */
const stopTimeout = 5_000;

/**
 * Hands a message to the mail server over a connection of its own. Each step has a deadline; a connection that misses one is closed.
 * @throws SmtpFailure
 */
export async function deliver(
  settings: MailSettings,
  message: Message,
  { signal, deadlines = stepDeadlines }: { signal?: AbortSignal; deadlines?: typeof stepDeadlines } = {},
): Promise<void> {
  const socket = new Socket();
  const smtp = await createConnection(settings, deadlines, socket);
  const { promise: failure, reject: fail } = Promise.withResolvers<never>();
  // The steps report it. After the last one it does not matter.
  failure.catch(() => {});
  // Never removed: an error without a listener would end the process.
  smtp.on('error', fail);
  smtp.on('end', () => fail(Object.assign(new Error('The connection was closed'), { code: 'ECONNECTION' })));
  const giveUp = (why: string, code = 'ETIMEDOUT') => {
    fail(Object.assign(new Error(why), { code }));
    smtp.close();
  };
  const checkBytes = () => {
    if (socket.bytesRead > maxBytesRead)
      giveUp(`the server sent more than ${maxBytesRead} bytes`, 'EPROTOCOL');
  };
  const checking = setInterval(checkBytes, checkInterval);
  const step = async (name: SmtpStep, begin: (done: Done) => void) => {
    const timer = setTimeout(() => giveUp(`no reply within ${deadlines[name]} ms`), deadlines[name]);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    begin(error => (error ? reject(error) : resolve()));
    await Promise.race([promise, failure])
      .catch((error: ClientError) => {
        throw new SmtpFailure(name, error);
      })
      .finally(() => clearTimeout(timer));
  };
  const stop = () => setTimeout(() => giveUp('the service stops'), stopTimeout).unref();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await step('connect', done => smtp.connect(done));
    if (settings.login) {
      const credentials = { user: settings.login.user, pass: settings.login.password };
      await step('login', done => smtp.login({ credentials }, done));
    }
    const envelope = { from: message.from, to: [message.to], size: message.content.length };
    await step('send', done => smtp.send(envelope, message.content, done));
    smtp.quit();
  } catch (error) {
    smtp.close();
    throw error;
  } finally {
    clearInterval(checking);
    // The client would process millions of replies after the end, one in each turn of the event loop.
    (smtp as unknown as { _responseQueue?: string[] })._responseQueue?.splice(0);
    signal?.removeEventListener('abort', stop);
  }
}

type Done = (error?: ClientError | null) => void;

async function createConnection(
  { host, port, tls }: MailSettings,
  deadlines: typeof stepDeadlines,
  socket: Socket,
): Promise<SMTPConnection> {
  // Loaded with the first mail: a start or a command that sends none is faster.
  const { default: Client } = await import('nodemailer/lib/smtp-connection');
  return new Client({
    host,
    port,
    socket,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    dnsTimeout: deadlines.connect,
    connectionTimeout: deadlines.connect,
    greetingTimeout: deadlines.connect,
    socketTimeout: deadlines.send,
    socketCloseTimeout: 1_000,
    tls: { minVersion: 'TLSv1.2' },
  });
}
