/** Why a user is asked to sign in. */
export type SignInReason = 'expired' | 'ended' | 'signed-out';

/** The redirect to the sign-in page, which leads back to the requested page. */
export function signInRedirect(
  { pathname, searchStr }: { readonly pathname: string; readonly searchStr: string },
  reason?: SignInReason,
) {
  const from = `${pathname}${searchStr}`.replace(/^\/portal(?=\/|$)/, '');
  const search = { ...(from !== '' && from !== '/' && { from }), ...(reason && { reason }) };
  return { to: '/sign-in', search } as const;
}
