import { useLingui } from '@lingui/react/macro';
import type { AnswerOf } from '../../api/ask.ts';

type ActorType = AnswerOf<'POST /audit-entries/search'>['items'][number]['actorType'];

/** Words for actions and actors. An action without words has its technical name. */
export function useAuditWords() {
  const { t } = useLingui();
  const actors: Readonly<Record<ActorType, string>> = {
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
  return {
    actor: (type: ActorType) => actors[type],
    action: (action: string) => actions[action] ?? action,
  };
}
