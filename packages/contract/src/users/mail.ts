import Type, { type Static } from 'typebox';
import { read, write } from '../operation.ts';
import { portalOperation } from '../portal-operation.ts';
import { ClosedObject, Flag, Integer, nullable, orNull, Text, Values } from '../schema.ts';

/** The mails that the service sends, all to its users. */
export const mailNames = [
  'invitation',
  'password_reset',
  'key_reminder',
  'key_no_recent_activity',
  'key_failing',
  'digest',
] as const;
export type MailName = (typeof mailNames)[number];

export const MailOverview = ClosedObject({
  isSetUp: Flag(),
  from: nullable(Text()),
  mails: Type.Array(Values('MailName', [...mailNames])),
});
export type MailOverview = Static<typeof MailOverview>;

export const TestMailResult = ClosedObject({
  outcome: Values('TestMailOutcome', ['accepted', 'unreachable', 'login_rejected', 'rejected']),
  reply: orNull(Integer()),
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
