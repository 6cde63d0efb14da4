import {
  ApiError,
  beginPasskey,
  beginPasskeyConfirmation,
  beginPasskeySignIn,
  confirmWithPasskey,
  createPasskey,
  deletePasskey,
  listPasskeys,
  type Passkey,
  type PasskeyCreation,
  renamePasskey,
  signInWithPasskey,
  unprocessable,
} from '@kontor/contract';
import { newId } from '../../../db/ids.ts';
import { type CallOf, implement } from '../../../http/implement.ts';
import { type Call, type OkAnswer, ok, type Route } from '../../../http/route.ts';
import { checkName } from '../../../lib/names.ts';
import { pageOfRows } from '../../../query/rows.ts';
import type { Write } from '../../../write/writes.ts';
import { beginChallenge, useChallenge } from '../sessions/challenges.ts';
import { findCredentials, lockCredentials } from '../sessions/credentials.ts';
import { sessionOfCall, answerSignIn } from '../sessions/routes.ts';
import type { SignInParts } from '../sessions/sign-in.ts';
import { sessionEnded, setMethod } from '../sessions/store.ts';
import { beginConfirmation, beginSignIn, finishConfirmation, requireParty, finishSignIn } from './sign-in.ts';
import * as store from './store.ts';
import { challengeIn, creationOptions, verifyCreation } from './webauthn.ts';

export const passkeysMaximum = 20;

export function passkeyRoutes(parts: SignInParts): Route[] {
  const { reads } = parts;
  return [
    implement(beginPasskeySignIn, async call => ok(JSON.stringify(await beginSignIn(parts, call.address)))),
    implement(signInWithPasskey, async call =>
      answerSignIn(parts, call, await finishSignIn(parts, call.body, call)),
    ),
    implement(beginPasskeyConfirmation, async call =>
      ok(JSON.stringify(await beginConfirmation(parts, sessionOfCall(call), call.address))),
    ),
    implement(confirmWithPasskey, async call => {
      const by = { current: sessionOfCall(call), browser: call };
      return answerSignIn(parts, call, await finishConfirmation(parts, call, by, call.body));
    }),
    implement(listPasskeys, async call => {
      const rows = store.passkeyRows(sessionOfCall(call));
      return ok(await pageOfRows(store.passkeyList, rows, call, reads));
    }),
    implement(beginPasskey, async call => ok(JSON.stringify(await begin(parts, call)))),
    implement(createPasskey, call => create(parts, call)),
    implement(renamePasskey, async call => {
      const { name } = call.body;
      checkName('name', name);
      return change(parts, call, (write, before) => {
        if (name !== before.name) store.updatePasskeyName(write, before.id, name);
        return { ...before, name };
      });
    }),
    implement(deletePasskey, call =>
      change(parts, call, (write, passkey) => {
        store.deletePasskey(write, call.caller.actor.id, passkey.id);
        return passkey;
      }),
    ),
  ];
}

async function begin(parts: SignInParts, call: Call): Promise<PasskeyCreation> {
  const current = sessionOfCall(call);
  const party = requireParty(parts);
  const user = await findCredentials(parts.reads, current.organizationId, current.userId);
  const { email, name } = user ?? sessionEnded();
  const passkeys = await store.findStoredPasskeys(parts.reads, current);
  checkFirst(call, passkeys);
  const challenge = await beginChallenge(parts, 'passkey.create', current, call.address);
  return creationOptions(party, challenge, { ...current, email, name }, passkeys);
}

async function create(parts: SignInParts, call: CallOf<typeof createPasskey>): Promise<OkAnswer> {
  const current = sessionOfCall(call);
  const { body } = call;
  checkName('name', body.name);
  const challenge = challengeIn(body.clientDataJSON);
  await useChallenge(parts, 'passkey.create', current, challenge);
  const made = await verifyCreation(requireParty(parts), challenge!, body);
  if (made === null) throw unprocessable('the passkey was not created for this portal; create it again');
  const created = await parts.writes.runWithoutClock(call, async (write, session) => {
    if (!(await lockCredentials(session, current.organizationId, current.userId))) return sessionEnded();
    const present = await store.findStoredPasskeys(session, current);
    checkFirst(call, present);
    if (present.length >= passkeysMaximum)
      throw unprocessable(`a user has at most ${passkeysMaximum} passkeys; remove one first`);
    const id = newId();
    if (!(await store.insertPasskey(write, session, current.userId, { ...made, id, name: body.name })))
      throw new ApiError('DUPLICATE_RESOURCE', 'The passkey is already registered; create another one');
    setMethod(write, current.sessionId, 'passkey');
    return (await store.findPasskey(session, current, id))!;
  });
  return ok(JSON.stringify(created));
}

/**
 * With the password alone only the first passkey is registered: otherwise a stolen password would be enough. A link is the way back after
 * the loss of a device.
 * @throws ApiError PASSKEY_REQUIRED
 */
function checkFirst({ caller }: Call, present: readonly unknown[]): void {
  if (!caller.session?.lacksPasskey || caller.session.method === 'link' || present.length === 0) return;
  throw new ApiError(
    'PASSKEY_REQUIRED',
    'Confirm the session with a passkey that you have; after the loss of a device, ask an administrator for a link',
  );
}

/** Locks the user, changes a passkey of the caller, and responds with the passkey that `work` returns. @throws ApiError NOT_FOUND */
async function change(
  { reads, writes }: SignInParts,
  call: Call & { readonly parameters: { readonly id: string } },
  work: (write: Write, passkey: Passkey) => Passkey,
): Promise<OkAnswer> {
  const current = sessionOfCall(call);
  const { id } = call.parameters;
  if (!(await store.findPasskey(reads, current, id))) notFound();
  const changed = await writes.runWithoutClock(call, async (write, session) => {
    await lockCredentials(session, current.organizationId, current.userId);
    return work(write, (await store.findPasskey(session, current, id)) ?? notFound());
  });
  return ok(JSON.stringify(changed));
}

function notFound(): never {
  throw new ApiError('NOT_FOUND', 'You have no passkey with this id');
}
