import type { MailName } from '@kontor/contract';
import { useLingui } from '@lingui/react/macro';

/** The words for the mails that the service sends, and to whom each goes. */
export function useMailWords(): Record<MailName, { name: string; to: string }> {
  const { t } = useLingui();
  const contacts = t`To users with the permission IT; without one, to company admins`;
  return {
    invitation: { name: t`Invitation`, to: t`To the invited user, with a link to choose a password` },
    password_reset: { name: t`New password`, to: t`To the user who has asked for it, with a link` },
    key_reminder: { name: t`API key expires`, to: contacts },
    key_no_recent_activity: { name: t`API key has no recent activity`, to: contacts },
  };
}
