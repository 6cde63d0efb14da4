import { apis } from '@kontor/contract';
import type { Collection } from '../query/page.ts';
import type { Database } from '../db/connect.ts';
import { portalDivisionHandlers } from '../features/divisions/routes.ts';
import { portalApiKeyHandlers } from '../features/keys/portal-routes.ts';
import { portalTenantHandlers } from '../features/organizations/routes.ts';
import { organizationExists, placesIn, tenantsAmong } from '../features/organizations/store.ts';
import { countInvitation, countKey } from '../features/users/attempts.ts';
import { OpenIdClient } from '../features/users/openid.ts';
import { openIdHandlers } from '../features/users/openid-routes.ts';
import type { OpenIdSettings } from '../features/users/openid-settings.ts';
import { passwordResetHandlers } from '../features/users/password-reset-routes.ts';
import type { PasswordResets } from '../features/users/password-resets.ts';
import { passkeyHandlers } from '../features/users/passkey-routes.ts';
import { relyingPartyOf } from '../features/users/relying-party.ts';
import { sessionHandlers } from '../features/users/session-routes.ts';
import { portalUserHandlers } from '../features/users/routes.ts';
import { PortalSessions } from '../features/users/sessions.ts';
import type { Counting } from '../lib/counting.ts';
import type { CredentialLookups } from '../http/limits/credential-lookups.ts';
import { routesOf } from '../http/handlers.ts';
import type { ServedApi } from '../http/service.ts';
import type { Writes } from '../write/writes.ts';

/** What the portal API stands on. */
interface PortalParts {
  readonly database: Omit<Database, 'close'>;
  readonly writes: Writes;
  readonly pepper: Buffer;
  readonly counting: Counting;
  readonly lookups: CredentialLookups;
  /** Where people reach the service, which is known once it listens. */
  readonly publicUrl: () => string;
  /** The issuer of OpenID Connect; null: there is none. */
  readonly openId: OpenIdSettings | null;
  /** Null: no mails are sent, so links are shown to who makes them. */
  readonly resets: PasswordResets | null;
  /** Of divisions. */
  readonly divisions: Collection;
  readonly addressOf: ServedApi['addressOf'];
  /** Milliseconds that a request may take, and more where it goes to the file store. */
  readonly timeouts: ServedApi['timeouts'];
}

/** The API of the portal's pages, bound and ready to be served. */
export function portalApi(parts: PortalParts): ServedApi {
  const { database, writes, pepper, counting, lookups, resets, publicUrl, divisions } = parts;
  const { addressOf, timeouts } = parts;
  const openId = parts.openId && new OpenIdClient(parts.openId, { publicUrl, pepper });
  const { reads } = database;
  const sessions = new PortalSessions(database, pepper);
  const relyingParty = () => relyingPartyOf(publicUrl());
  const byMail = resets !== null;
  const entering = {
    reads,
    writes,
    pepper,
    counting,
    lookups,
    challenges: database.writes,
    relyingParty,
    openId,
    byMail,
  };
  const places = placesIn(reads);
  const keys = portalApiKeyHandlers({ reads, writes, pepper, places, addressOf: resourceAt('api-keys') });
  const users = portalUserHandlers({
    reads,
    writes,
    pepper,
    get publicUrl() {
      return publicUrl();
    },
    byMail,
    tenantsAmong: places.tenantsAmong,
    addressOf: resourceAt('users'),
  });
  const countedKey = before((call: Counted) => countKey(counting, call.scope.organizationId));
  const countedInvitation = before((call: Counted) =>
    countInvitation(counting, {
      organizationId: call.scope.organizationId,
      userId: call.parameters.id ?? null,
    }),
  );
  return {
    api: apis.portal,
    authenticate: cookie => sessions.authenticate(cookie),
    organizationExists: id => organizationExists(reads, id),
    tenantExists: async (organizationId, id) => (await tenantsAmong(reads, organizationId, [id])).has(id),
    quota: null,
    addressOf,
    publicUrl,
    timeouts,
    routes: routesOf('portal', {
      ...sessionHandlers(entering),
      ...passkeyHandlers(entering),
      ...openIdHandlers(entering),
      ...passwordResetHandlers(resets),
      ...portalTenantHandlers(reads),
      ...portalDivisionHandlers(divisions),
      ...keys,
      createPortalApiKey: countedKey(keys.createPortalApiKey),
      replacePortalApiKey: countedKey(keys.replacePortalApiKey),
      ...users,
      createPortalUser: countedInvitation(users.createPortalUser),
      invitePortalUser: countedInvitation(users.invitePortalUser),
    }),
  };
}

/** What a call is counted by. */
interface Counted {
  readonly scope: { readonly organizationId: string };
  readonly parameters: { readonly id?: string };
}

/** Has a call counted before it is handled, whatever becomes of it. */
function before(counted: (call: Counted) => Promise<void>) {
  return <Call extends Counted, Answer>(handle: (call: Call) => Promise<Answer> | Answer) =>
    async (call: Call): Promise<Answer> => {
      await counted(call);
      return handle(call);
    };
}

function resourceAt(resources: string): (organizationId: string, id: string) => string {
  return (_organizationId, id) => `${apis.portal.prefix}/${resources}/${id}`;
}
