/** The redirect to the sign-in page, which leads back to the requested page. */
export function signInRedirect({
  pathname,
  searchStr,
}: {
  readonly pathname: string;
  readonly searchStr: string;
}) {
  const from = `${pathname}${searchStr}`.replace(/^\/portal(?=\/|$)/, '');
  return { to: '/sign-in', search: from === '' || from === '/' ? {} : { from } } as const;
}
