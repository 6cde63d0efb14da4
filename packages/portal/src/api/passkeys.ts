import { type AnswerOf, ask, Rejection } from './ask.ts';
import { queryClient, signInMethodsQuery } from './queries.ts';

/** The browser's passkey functions, loaded at their first use. */
const library = () => import('@simplewebauthn/browser');

type Identity = AnswerOf<'POST /session/passkey'>;

/** Why no passkey was used or made: the user broke it off or has none here, or this device has one already. */
export class PasskeyFailure extends Error {
  readonly kind: 'aborted' | 'has-one';

  constructor(kind: PasskeyFailure['kind']) {
    super(kind);
    this.kind = kind;
  }
}

/** Whether passkeys work at the address that this page is at, and in this browser. */
export function passkeysWork(methods: { readonly passkeyOrigin: string | null } | undefined): boolean {
  return methods?.passkeyOrigin === window.location.origin && 'PublicKeyCredential' in window;
}

/** Whether the sign-in can be confirmed with a passkey, here and now. */
export function confirmsWithPasskey(methods: readonly string[]): boolean {
  return methods.includes('passkey') && passkeysWork(queryClient.getQueryData(signInMethodsQuery.queryKey));
}

/** Signs in whom the passkey belongs to that the user chooses. @throws Rejection, PasskeyFailure. */
export async function signInWithPasskey(): Promise<Identity> {
  const body = await used(await ask('POST /session/passkey-challenge', {}));
  return ask('POST /session/passkey', { body }).catch(inWordsOfPasskeys);
}

/** Makes the sign-in fresh again. @throws Rejection, PasskeyFailure. */
export async function confirmWithPasskey(): Promise<Identity> {
  const body = await used(await ask('POST /session/confirmation/passkey-challenge', {}));
  return ask('POST /session/confirmation/passkey', { body }).catch(inWordsOfPasskeys);
}

/** Has the browser make a passkey and registers it. @throws Rejection, PasskeyFailure. */
export async function registerPasskey(name: string): Promise<AnswerOf<'POST /passkeys'>> {
  const optionsJSON = await ask('POST /passkeys/challenge', {});
  const { startRegistration } = await library();
  const { id, response } = await startRegistration({ optionsJSON: optionsJSON as never }).catch(failed);
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return ask('POST /passkeys', {
    body: { name, credentialId: id, clientDataJSON, attestationObject, transports },
  });
}

async function used(optionsJSON: AnswerOf<'POST /session/passkey-challenge'>) {
  const { startAuthentication } = await library();
  const { id, response } = await startAuthentication({ optionsJSON: optionsJSON as never }).catch(failed);
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response;
  return { credentialId: id, clientDataJSON, authenticatorData, signature, userHandle };
}

/** Browsers do not report whether the user has aborted it, has no passkey, or took too long. */
function failed(error: unknown): never {
  const hasOne = error instanceof Error && error.name === 'InvalidStateError';
  throw new PasskeyFailure(hasOne ? 'has-one' : 'aborted');
}

/** The service answers as for a password, which the user has not typed. */
function inWordsOfPasskeys(error: unknown): never {
  if (!(error instanceof Rejection) || error.code !== 'SIGN_IN_FAILED') throw error;
  throw error.as('PASSKEY_REFUSED');
}
