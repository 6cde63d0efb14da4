import { mailSettingNames, mailSettings } from '../mail/settings.ts';
import { messageOf } from '../mail/message.ts';
import { deliver, SmtpFailure } from '../mail/smtp.ts';
import { mailText } from '../mail/text.ts';
import { newId } from '../db/ids.ts';
import { CommandError, defineCommand, parseEmail } from './command.ts';

export const mailTest = defineCommand({
  name: 'mail test',
  summary: 'Try the mail server of the settings: sends a message now, and says what the server says',
  arguments: [{ name: '<address>', description: 'Where the message goes to', parse: parseEmail }],
  settings: ['publicUrl', ...mailSettingNames],
  async run({ config }, { arguments: [address] }) {
    const settings = await mailSettings(config);
    if (settings === null) throw new CommandError('no mail server is set: say KONTOR_SMTP_HOST');
    const to = { email: address as string, name: mailText``, language: 'en' as const };
    const id = newId();
    const message = await messageOf(letter, to, { settings, id, queuedAt: new Date() });
    try {
      await deliver(settings, message);
    } catch (error) {
      throw error instanceof SmtpFailure ? new CommandError(explained(error)) : error;
    }
    const { host, port, tls } = settings;
    return {
      json: { host, port, tls, from: settings.from.address, messageId: id },
      text: `${host} took a message for ${to.email}. Whether it arrives is said by nobody but the mailbox`,
    };
  },
});

const letter = {
  subject: mailText`A message to try the mail server`,
  paragraphs: [mailText`This message was sent by "kontor mail test". The settings of the mail server work.`],
};

const steps = {
  connect: 'the mail server could not be reached, or did not encrypt as it should',
  login: 'the mail server did not take user and password',
  send: 'the mail server did not take the message',
};

/** One line of where it ended and what the server said. */
function explained({ step, command, said }: SmtpFailure): string {
  const words = said.replaceAll(/\s+/g, ' ').trim();
  return `${steps[step]}${command === null ? '' : ` (${command})`}: ${words}`;
}
