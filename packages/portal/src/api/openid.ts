import { type AnswerOf, ask, Rejection } from './ask.ts';

/** The address at page load, before other code reads or changes it. */
export const arrival: URLSearchParams = new URLSearchParams(window.location.search);

type Identity = AnswerOf<'POST /session/openid'>;

/** The operations that begin and complete a redirect. */
const routes = {
  'sign-in': ['POST /session/openid-request', 'POST /session/openid'],
  confirmation: ['POST /session/confirmation/openid-request', 'POST /session/confirmation/openid'],
  link: ['POST /openid-link-request', 'POST /openid-link'],
} as const;

/** The purpose of a redirect to the issuer. */
export interface IssuerRedirect {
  readonly kind: keyof typeof routes;
  /** The path of the portal to open afterwards. */
  readonly from?: string | undefined;
}

const place = 'kontor-openid';

/** Redirects to the issuer, which redirects back to `/sign-in/openid`. Resolves before the browser leaves. @throws Rejection */
export async function leaveForIssuer(redirect: IssuerRedirect): Promise<void> {
  const { location } = await ask(routes[redirect.kind][0], {}).catch(ofProvider);
  sessionStorage.setItem(place, JSON.stringify(redirect));
  window.location.assign(location);
}

/** The purpose of the pending redirect in this tab; null without one. */
export function takePendingRedirect(): IssuerRedirect | null {
  const kept = sessionStorage.getItem(place);
  sessionStorage.removeItem(place);
  return kept === null ? null : (JSON.parse(kept) as IssuerRedirect);
}

/** Completes a redirect with the answer of the issuer. @throws Rejection. */
export async function completeRedirect({ kind }: IssuerRedirect): Promise<Identity> {
  const [code, state, iss] = ['code', 'state', 'iss'].map(name => arrival.get(name));
  const body = { code: code ?? '-', state: state ?? '-', ...(iss && { iss }) };
  return ask(routes[kind][1], { body }).catch((error: unknown) => {
    if (!(error instanceof Rejection) || error.code !== 'SIGN_IN_FAILED') return ofProvider(error);
    throw error.as(kind === 'link' ? 'OPENID_NOT_CONNECTED' : 'OPENID_REFUSED');
  });
}

/** @throws the error; where the issuer does not respond, under a code of its own. */
function ofProvider(error: unknown): never {
  const isOfIssuer = error instanceof Rejection && [502, 504].includes(error.status);
  throw isOfIssuer ? error.as('PROVIDER_UNAVAILABLE') : error;
}

/** Tells other tabs that the user was confirmed in this one. */
export function notifyConfirmed(): void {
  localStorage.setItem(place, new Date().toISOString());
}

/** Listens for a confirmation of the user in another tab; returns a function that stops listening. */
export function whenConfirmed(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === place) listener();
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
