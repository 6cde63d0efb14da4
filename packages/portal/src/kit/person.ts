interface Person {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
}

/** The visible form of a text: white space once, no invisible characters, each accent in one form. Systems send names with any of these. */
export function visibleText(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The name of a person; the email if nothing of a name is seen. */
export function nameOfPerson({ firstName, lastName, email }: Person): string {
  const parts = [firstName, lastName].filter(part => part !== null && visibleText(part) !== '');
  return parts.join(' ') || (email ?? '');
}
