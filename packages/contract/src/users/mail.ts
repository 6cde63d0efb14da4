import Type, { type Static } from 'typebox';
import { read, write } from '../operation.ts';
import { portalOperation } from '../portal-operation.ts';
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

export const getMailOverview = portalOperation({
  ...read,
  ...common,
  path: '/mail',
  success: { status: 200, body: MailOverview },
});

export const sendTestMail = portalOperation({
  ...write,
  ...common,
  path: '/mail/test-message',
  success: { status: 200, body: TestMailResult },
  errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED'],
});
