/** Where who is not signed in goes to; from there they come back to the place that they wanted to see. */
export function wayIn({ pathname, searchStr }: { readonly pathname: string; readonly searchStr: string }) {
  const from = `${pathname}${searchStr}`.replace(/^\/portal(?=\/|$)/, '');
  return { to: '/sign-in', search: from === '' || from === '/' ? {} : { from } } as const;
}
