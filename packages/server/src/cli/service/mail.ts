import { newId } from '../../db/ids.ts';
import { messageOf } from '../../mail/message.ts';
import { mailSettingNames, mailSettings } from '../../app/mail-settings.ts';
import { deliver, SmtpFailure } from '../../mail/smtp.ts';
import { mailText } from '../../mail/text.ts';
import { argument, CommandError, defineCommand } from '../program/command.ts';
import { parseEmail } from '../program/values.ts';

export const mailTest = defineCommand({
  summary: 'Send a mail now to try the mail server of the settings, and print the answer of the server',
  example: 'mail test it@example.com',
  input: { address: argument('<address>', 'Recipient of the message', parseEmail) },
  settings: ['publicUrl', ...mailSettingNames],
  async run({ config }, { address }) {
    const settings = await mailSettings(config);
    if (settings === null) throw new CommandError('no mail server is set: set KONTOR_SMTP_HOST');
    const to = { email: address, name: mailText``, language: 'en' as const };
    const messageId = newId();
    const message = await messageOf(letter, to, { settings, id: messageId, queuedAt: new Date() });
    await deliver(settings, message).catch((error: unknown) => {
      throw error instanceof SmtpFailure ? new CommandError(failureText(error)) : error;
    });
    const { host, port, tls } = settings;
    return {
      json: { host, port, tls, from: settings.from.address, messageId },
      text: `${host} accepted a message for ${address}. Check the mailbox to see whether it arrives`,
    };
  },
});

const letter = {
  subject: mailText`A test message from Kontor`,
  paragraphs: [mailText`This message was sent by "kontor mail test". The settings of the mail server work.`],
};

const steps = {
  connect: 'the mail server could not be reached, or did not encrypt as it should',
  login: 'the mail server did not accept user and password',
  send: 'the mail server did not accept the message',
};

/** Renders the step that failed and the reply of the server as one line. */
function failureText({ step, command, serverText }: SmtpFailure): string {
  const words = serverText.replaceAll(/\s+/g, ' ').trim();
  return `${steps[step]}${command === null ? '' : ` (${command})`}: ${words}`;
}
