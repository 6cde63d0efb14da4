interface Person {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
}

/** The name of a person; without one the e-mail. */
export function nameOfPerson({ firstName, lastName, email }: Person): string {
  return [firstName, lastName].filter(Boolean).join(' ') || (email ?? '');
}
