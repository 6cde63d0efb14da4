import { read, write } from '../../operation.ts';
import { MailOverview, TestMailResult } from '../../resources/portal/mail.ts';
import type { PortalOperation } from './operation.ts';

const common = { tag: 'Mail', permission: 'COMPANY_ADMIN' } as const;

export const mailOperations = {
  getMailOverview: {
    ...read,
    ...common,
    path: '/mail',
    summary: 'Get the mails that are sent',
    description:
      'Reads whether the operator has set a mail server, the sender address, and the kinds of mails. The settings of the mail server are not in it.',
    success: { status: 200, description: 'The mails', body: MailOverview },
  },
  sendTestMail: {
    ...write,
    ...common,
    path: '/mail/test-message',
    summary: 'Send a test message',
    description:
      'Sends a message to the email of the user, at once, and answers what the mail server did with it. It counts as an invitation of the user: at most 10 an hour. A dry run sends nothing and answers `accepted`.',
    success: { status: 200, description: 'The result', body: TestMailResult },
    errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED'],
  },
} as const satisfies Record<string, PortalOperation>;
