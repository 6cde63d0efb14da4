import { useLingui } from '@lingui/react/macro';
import type { AnswerOf } from '../../api/ask.ts';

type Entry = AnswerOf<'POST /audit-entries/search'>['items'][number];

/** Words for actions and actors. An action without words has its technical name. */
export function useAuditWords() {
  const { t } = useLingui();
  const actors: Readonly<Record<Entry['actorType'], string>> = {
    operator: t`Command of the operator`,
    api_key: t`API key`,
    platform_token: t`Platform token`,
    user: t`User`,
    system: t`Kontor`,
    anonymous: t`Not signed in`,
  };
  const actions: Readonly<Record<string, string>> = {
    'audit.export': t`Audit exported`,
    'audit.keep': t`Retention of the audit changed`,
    'key.create': t`API key created`,
    'key.deactivate': t`API key deactivated`,
    'key.delete': t`API key deleted`,
    'key.expire': t`Expiry of an API key set`,
    'key.export': t`API keys exported`,
    'key.reactivate': t`API key reactivated`,
    'organization.create': t`Organization created`,
    'organization.update': t`Settings changed`,
    'session.start': t`Signed in`,
    'session.end': t`Session ended`,
    'session.confirm': t`Identity confirmed`,
    'tenant.retention': t`Retention of a company changed`,
    'user.create': t`User created`,
    'user.deactivate': t`User deactivated`,
    'user.delete': t`User deleted`,
    'user.export': t`Users exported`,
    'user.invite': t`User invited`,
    'user.reactivate': t`User reactivated`,
    'user.sign_out': t`Sessions of a user ended`,
    'user.update': t`User changed`,
  };
  const reasons: Readonly<Record<NonNullable<Entry['reason']>, string>> = {
    wrong_secret: t`Wrong secret`,
    deactivated: t`Deactivated`,
    expired: t`Expired`,
    deleted: t`Deleted`,
    revoked: t`Revoked`,
    tenant_not_in_scope: t`Company without access`,
    organization_not_in_scope: t`Organization without access`,
    permission_missing: t`Permission missing`,
    stale_draft: t`Draft out of date`,
    file_not_stored: t`File not stored`,
    internal_error: t`Internal error`,
  };
  return {
    /** For the filter. */
    values: { actorType: actors, outcome: { done: t`Done`, rejected: t`Rejected` }, reason: reasons },
    actor: (type: Entry['actorType']) => actors[type],
    action: (action: string) => actions[action] ?? action,
  };
}
