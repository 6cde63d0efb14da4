import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { deliver, type MailSettings, SmtpFailure } from '../../src/mail/smtp.ts';
import { drip, startHostileServer, writeWithoutEnd } from '../support/servers/hostile-server.ts';
import { startMailServer } from '../support/servers/mail-server.ts';

const login = { user: 'kontor', password: 'a password of the operator' };
const message = {
  from: 'kontor@example.com',
  to: 'anna@example.com',
  content: Buffer.from('Subject: A link\r\n\r\nhttps://kontor.example.com/portal/invitation#secret'),
};
const settings: Omit<MailSettings, 'port'> = {
  host: '127.0.0.1',
  tls: 'starttls',
  login,
  from: { name: 'Kontor', address: message.from },
  publicUrl: 'https://kontor.example.com',
};
const deadlines = { connect: 1_000, login: 1_000, send: 1_000 };

/** Bytes that a server can send to one delivery, with what the buffers of the sockets hold. */
const maxBytes = 32 * 1024 * 1024;

/** Answers each line that the client sends with the next reply, and the last reply to all others. */
function replying(...replies: readonly string[]): (socket: Socket) => void {
  return socket => {
    const left = [...replies];
    const reply = () => socket.write(left.length > 1 ? left.shift()! : left[0]!);
    socket.on('data', reply);
    reply();
  };
}

/** Delivers to such a server, which must fail within its bounds. Returns the failure, and what the server has received. */
async function rejects(
  answer: (socket: Socket) => void,
  more: Partial<MailSettings> = {},
): Promise<{ failure: SmtpFailure; received: string }> {
  const server = await startHostileServer(answer);
  try {
    const failure = await deliver({ ...settings, port: server.port, ...more }, message, { deadlines }).then(
      () => assert.fail('the message was delivered'),
      (error: unknown) => error,
    );
    assert.ok(failure instanceof SmtpFailure, String(failure));
    assert.ok(server.sent() < maxBytes, `the client took ${server.sent()} bytes`);
    await assertIdle();
    return { failure, received: server.received() };
  } finally {
    await server.close();
  }
}

/** Nothing of a delivery goes on after its end. */
async function assertIdle(): Promise<void> {
  for (let count = 0; count < 10; count++) await setImmediate();
  assert.deepEqual(
    process.getActiveResourcesInfo().filter(name => name === 'Immediate'),
    [],
  );
}

function assertSecret(received: string): void {
  assert.doesNotMatch(received, /AUTH|MAIL FROM|secret|anna/i);
}

describe('neither the login nor a message is sent to a mail server that', () => {
  test('does not offer STARTTLS, or whose offer was removed on the way', async () => {
    for (const extensions of ['250 here\r\n', '250-here\r\n250-AUTH PLAIN LOGIN\r\n250 XXXXXXX\r\n']) {
      const { failure, received } = await rejects(replying('220 here\r\n', extensions, '502 unknown\r\n'));
      assertSecret(received);
      assert.equal(failure.step, 'connect');
    }
  });

  test('rejects STARTTLS that it has offered', async () => {
    const { received } = await rejects(replying('220 here\r\n', '250 STARTTLS\r\n', '454 not now\r\n'));
    assertSecret(received);
  });

  test('answers STARTTLS with more replies in the clear, and then no TLS', async () => {
    const injected = '220 go\r\n250-here\r\n250 AUTH PLAIN\r\n235 welcome\r\n';
    const { received } = await rejects(replying('220 here\r\n', '250 STARTTLS\r\n', injected));
    assertSecret(received);
  });

  test('knows no EHLO, but HELO', async () => {
    const { received } = await rejects(replying('220 here\r\n', '502 unknown\r\n', '250 here\r\n'));
    assertSecret(received);
  });

  for (const tls of ['starttls', 'implicit'] as const)
    test(`has a certificate that no authority has signed (${tls})`, async () => {
      // The mail server of the tests has one for localhost, signed by itself.
      const server = await startMailServer({ disabledCommands: [], secure: tls === 'implicit' });
      const { port } = server;
      const failure = await deliver({ ...settings, port, tls }, message, { deadlines }).catch(
        (error: unknown) => error,
      );
      assert.ok(failure instanceof SmtpFailure);
      assert.equal(failure.step, 'connect');
      assert.match(failure.serverText, /certificate|altnames/i);
      assert.deepEqual(server.mails, []);
      await server.close();
    });
});

describe('a delivery ends within its deadlines, and has not read without a bound, from a mail server that', () => {
  const endless: Readonly<Record<string, string>> = {
    'greets without a line break': 'x',
    'greets with more and more lines': '220-x\r\n',
    'greets again and again': '220 x\r\n',
    'sends nothing but line breaks': '\r\n',
    'sends zeros': '\0',
    'rejects again and again': '421 too busy\r\n',
  };
  for (const [name, text] of Object.entries(endless))
    test(name, async () => {
      await rejects(socket => writeWithoutEnd(socket, text));
    });

  test('sends its greeting byte by byte', async () => {
    await rejects(socket => drip(socket, '220-x'));
  });

  test('begins TLS and goes on byte by byte', async () => {
    await rejects(socket => drip(socket, '\u0016\u0003\u0003'), { tls: 'implicit' });
  });

  test('answers what is no reply', async () => {
    for (const text of ['HTTP/1.1 200 OK\r\n\r\n', '220\r\n999 what\r\n', '\u00ff\u00fe\r\n'])
      await rejects(replying(text), { tls: 'none', login: null });
  });
});

test('an address with a line break or a command in it is sent to no mail server', async () => {
  for (const to of [
    'a@example.com>\r\nRCPT TO:<evil@example.org',
    'a@example.com\nDATA',
    'a b@example.com\r\n.',
  ]) {
    const server = await startMailServer();
    const settingsHere = { ...settings, port: server.port, tls: 'none', login: null } as const;
    const failure = await deliver(settingsHere, { ...message, to }, { deadlines }).catch(
      (error: unknown) => error,
    );
    assert.ok(failure instanceof SmtpFailure, JSON.stringify(to));
    assert.deepEqual(server.mails, []);
    await server.close();
  }
});
