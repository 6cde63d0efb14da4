import { readFile } from 'node:fs/promises';
import { type Config, ConfigError, type SettingName } from '../config.ts';
import type { MailSettings } from '../mail/smtp.ts';

/** The settings that every sender of mails reads: the public address begins the links. */
export const mailSettingNames = [
  'smtpHost',
  'smtpPort',
  'smtpTls',
  'smtpUser',
  'smtpPassword',
  'smtpPasswordFile',
  'mailFrom',
] as const satisfies readonly SettingName[];

export type MailConfig = Pick<Config, (typeof mailSettingNames)[number] | 'publicUrl'>;

/**
 * Returns the mail server of the configuration; null: none, so no mails are sent.
 * @throws ConfigError when something is missing beside the host, or the file of the password cannot be read
 */
export async function mailSettings(config: MailConfig): Promise<MailSettings | null> {
  const { smtpHost: host, smtpPort: port, smtpTls: tls, mailFrom: from, publicUrl } = config;
  if (host === null) return null;
  if (from === null)
    throw new ConfigError('KONTOR_SMTP_HOST is set: also set KONTOR_MAIL_FROM, the sender of mails');
  if (publicUrl === null)
    throw new ConfigError(
      'KONTOR_SMTP_HOST is set: also set KONTOR_PUBLIC_URL, the address for links in mails',
    );
  return { host, port, tls, from, publicUrl: publicUrl.replace(/\/+$/, ''), login: await readLogin(config) };
}

async function readLogin(config: MailConfig): Promise<MailSettings['login']> {
  const { smtpUser: user, smtpPassword, smtpPasswordFile } = config;
  if (smtpPassword !== null && smtpPasswordFile !== null)
    throw new ConfigError('KONTOR_SMTP_PASSWORD and KONTOR_SMTP_PASSWORD_FILE are both set: leave one out');
  const password = smtpPassword ?? (smtpPasswordFile === null ? null : await readPassword(smtpPasswordFile));
  if ((user === null) !== (password === null))
    throw new ConfigError(
      user === null
        ? 'there is a password for the mail server: also set KONTOR_SMTP_USER'
        : 'KONTOR_SMTP_USER is set: also set KONTOR_SMTP_PASSWORD or KONTOR_SMTP_PASSWORD_FILE',
    );
  return user === null ? null : { user, password: password! };
}

/** Returns the content of the file without the end of its line. */
async function readPassword(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`KONTOR_SMTP_PASSWORD_FILE cannot be read (${code ?? 'no text'})`);
  }
}
