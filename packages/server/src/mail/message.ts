import MailComposer from 'nodemailer/lib/mail-composer';
import type { Letter, Recipient } from './kind.ts';
import { htmlOf, textOf } from './page.ts';
import type { MailSettings } from './settings.ts';
import type { Message } from './smtp.ts';

/**
 * A letter as a message, as text and as HTML. Its Message-ID follows from the mail, so that whoever gets it twice can tell: a mail is sent
 * again when nobody knows whether the server has taken it.
 */
export async function messageOf(
  letter: Letter,
  to: Pick<Recipient, 'email' | 'name' | 'language'>,
  {
    settings: { from, publicUrl },
    id,
    queuedAt,
  }: { settings: Pick<MailSettings, 'from' | 'publicUrl'>; id: string; queuedAt: Date },
): Promise<Message> {
  const content = await new MailComposer({
    from,
    to: { name: to.name, address: to.email },
    subject: letter.subject,
    messageId: `<${id}@${from.address.split('@').at(-1)!}>`,
    date: queuedAt,
    text: textOf(letter, to, publicUrl),
    html: htmlOf(letter, to, publicUrl),
    // Nobody's absence is to be answered to it (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': to.language },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
  return { from: from.address, to: to.email, content };
}
