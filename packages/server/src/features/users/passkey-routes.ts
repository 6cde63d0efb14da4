import { ApiError, type Passkey, type PasskeyCreation, passkeyFields, unprocessable } from '@kontor/contract';
import { defineRows, pageOfRows } from '../../query/rows.ts';
import { newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import type { CallOf, HandlersOf } from '../../http/handlers.ts';
import { type Call, type OkAnswer, ok } from '../../http/route.ts';
import { checkName } from '../../lib/names.ts';
import { requestOf, type Turn } from '../../write/writes.ts';
import { countBeginning } from './attempts.ts';
import { newChallenge, takeChallenge } from './challenges.ts';
import { findCredentials, lockCredentials } from './credentials-store.ts';
import {
  beginPasskeyConfirmation,
  beginPasskeySignIn,
  confirmWithPasskey,
  partyOf,
  signInWithPasskey,
} from './passkey-sign-in.ts';
import * as store from './passkey-store.ts';
import { challengeIn, madePasskey, optionsOfCreation } from './passkeys.ts';
import { signedIn, whoseOf } from './session-routes.ts';
import { sessionEnded } from './sessions.ts';
import type { SignInParts } from './sign-in.ts';

/** Most passkeys of a user: what browsers are told of is no long list. */
export const passkeysMaximum = 20;

const passkeyList = defineRows({
  fields: passkeyFields,
  columns: {
    id: 'id',
    name: 'folded_name',
    createdAt: 'created_at',
    lastUsedAt: 'last_used_at',
    synced: 'synced',
  },
  item: store.shownPasskey,
});

/** The operations of passkeys, which are the portal's. */
export function passkeyHandlers(parts: SignInParts): HandlersOf<'portal', 'Passkeys'> {
  const { reads } = parts;
  return {
    beginPasskeySignIn: async call => ok(JSON.stringify(await beginPasskeySignIn(parts, call.address))),
    signInWithPasskey: async call => signedIn(parts, call, await signInWithPasskey(parts, call.body, call)),
    beginPasskeyConfirmation: async call =>
      ok(JSON.stringify(await beginPasskeyConfirmation(parts, whoseOf(call), call.address))),
    async confirmWithPasskey(call) {
      const by = { whose: whoseOf(call), browser: call };
      const confirmed = await confirmWithPasskey(parts, requestOf(call), by, call.body);
      return signedIn(parts, call, confirmed ?? sessionEnded());
    },
    async listPasskeys(call) {
      const rows = store.passkeyRows(whoseOf(call));
      return ok(
        await pageOfRows(passkeyList, rows, call.list, statement => reads.rows(statement, { shared: false })),
      );
    },
    beginPasskey: async call => ok(JSON.stringify(await begin(parts, call))),
    createPasskey: call => create(parts, call),
    async renamePasskey(call) {
      const { name } = call.body;
      checkName('name', name);
      return change(parts, call, (turn, before) => {
        if (name !== before.name) store.updatePasskeyName(turn, before.id, name);
        return { ...before, name };
      });
    },
    deletePasskey: call =>
      change(parts, call, (turn, passkey) => {
        store.deletePasskey(turn, call.caller.actor.id, passkey.id);
        return passkey;
      }),
  };
}

async function begin(parts: SignInParts, call: Call): Promise<PasskeyCreation> {
  const whose = whoseOf(call);
  const party = partyOf(parts);
  await countBeginning(parts, whose.sessionId, call.address);
  const user = await findCredentials(parts.reads, whose.organizationId, whose.userId);
  const { email, name } = user ?? sessionEnded();
  const passkeys = await storedPasskeysOf(parts.reads, call);
  const challenge = await newChallenge(parts.challenges, 'passkey.create', whose);
  return optionsOfCreation(party, challenge, { ...whose, email, name }, passkeys);
}

function storedPasskeysOf(db: Queryable, call: Call): Promise<store.StoredPasskey[]> {
  return store.storedPasskeys(db, whoseOf(call));
}

async function create(parts: SignInParts, call: CallOf<'createPasskey'>): Promise<OkAnswer> {
  const whose = whoseOf(call);
  const { body } = call;
  checkName('name', body.name);
  const challenge = challengeIn(body.clientDataJSON);
  await takeChallenge(parts.challenges, 'passkey.create', whose, challenge);
  const made = await madePasskey(partyOf(parts), challenge!, body);
  if (made === null)
    throw unprocessable('the passkey is not one that was made for this portal; make it once more');
  const created = await parts.writes.runUnordered(requestOf(call), async (turn, session) => {
    if (!(await lockCredentials(session, whose.organizationId, whose.userId))) return sessionEnded();
    checkRoom(await store.storedPasskeys(session, whose));
    const id = newId();
    const passkey = { ...made, id, name: body.name };
    if (!(await store.insertPasskey(turn, session, whose.userId, passkey)))
      throw new ApiError('DUPLICATE_RESOURCE', 'The passkey is registered already; make another one');
    return (await store.findPasskey(session, whose, id))!;
  });
  return ok(JSON.stringify(created));
}

/** @throws ApiError 422 VALIDATION_ERROR where there are too many. */
function checkRoom(present: readonly store.StoredPasskey[]): void {
  if (present.length >= passkeysMaximum)
    throw unprocessable(`a user has at most ${passkeysMaximum} passkeys; remove one first`);
}

/** Has a passkey of the caller changed, with the user locked, and answers what the change returns. @throws ApiError NOT_FOUND. */
async function change(
  { reads, writes }: SignInParts,
  call: Call & { readonly parameters: { readonly id: string } },
  work: (turn: Turn, passkey: Passkey) => Passkey,
): Promise<OkAnswer> {
  const whose = whoseOf(call);
  const { id } = call.parameters;
  if (!(await store.findPasskey(reads, whose, id))) notFound();
  const changed = await writes.runUnordered(requestOf(call), async (turn, session) => {
    await lockCredentials(session, whose.organizationId, whose.userId);
    return work(turn, (await store.findPasskey(session, whose, id)) ?? notFound());
  });
  return ok(JSON.stringify(changed));
}

function notFound(): never {
  throw new ApiError('NOT_FOUND', 'No passkey with this id is one of yours');
}
