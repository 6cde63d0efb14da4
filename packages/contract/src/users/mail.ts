import Type, { type Static } from 'typebox';
import { read, write } from '../operation.ts';
import type { PortalOperation } from '../portal-operation.ts';
import { Flag, Integer, NamedObject, nullable, orNull, Text, Values } from '../schema.ts';

/** The mails that the service sends, all to its users. */
export const mailNames = ['invitation', 'password_reset', 'key_reminder', 'key_no_recent_activity'] as const;
export type MailName = (typeof mailNames)[number];

export const MailOverview = NamedObject('MailOverview', 'Whether mails are sent, and which', {
  isSetUp: Flag(
    'Whether the operator has set a mail server. Without one, the administrator passes on the links of invitations',
    true,
  ),
  from: nullable(Text('Sender address; null without a mail server', 'kontor@example.com')),
  mails: Type.Array(Values('MailName', [...mailNames], 'A kind of mail'), {
    description: 'The kinds of mails that are sent, each in the language of its recipient',
  }),
});
export type MailOverview = Static<typeof MailOverview>;

export const testMailOutcomes = ['accepted', 'unreachable', 'login_rejected', 'rejected'] as const;

export const TestMailResult = NamedObject('TestMailResult', 'What the mail server did with a test message', {
  outcome: Values(
    'TestMailOutcome',
    [...testMailOutcomes],
    '`accepted`: the mail server took it. `unreachable`: no connection, or no encryption. `login_rejected`: the mail server rejected the login of the service. `rejected`: it rejected sender, recipient or message',
  ),
  reply: orNull(
    Integer('Code of the SMTP reply', 550, { minimum: 100, maximum: 599 }),
    'Code of the SMTP reply that rejected it; null without one',
  ),
});
export type TestMailResult = Static<typeof TestMailResult>;

const common = { tag: 'Mail', permission: 'COMPANY_ADMIN' } as const;

export const getMailOverview = {
  ...read,
  ...common,
  path: '/mail',
  summary: 'Get the mails that are sent',
  description:
    'Reads whether the operator has set a mail server, the sender address, and the kinds of mails. The settings of the mail server are not in it.',
  success: { status: 200, description: 'The mails', body: MailOverview },
} as const satisfies PortalOperation;

export const sendTestMail = {
  ...write,
  ...common,
  path: '/mail/test-message',
  summary: 'Send a test message',
  description:
    'Sends a message to the email of the user, at once, and answers what the mail server did with it. It counts as an invitation of the user: at most 10 an hour. A dry run sends nothing and answers `accepted`.',
  success: { status: 200, description: 'The result', body: TestMailResult },
  errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED'],
} as const satisfies PortalOperation;

export const mailOperations = {
  portal: { getMailOverview, sendTestMail },
} as const;
