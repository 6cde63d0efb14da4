import { cities, germanNames, otherNames, streets } from './names.ts';

/** The personal part of a demo employee; placement is up to the caller. */
export interface DemoPerson {
  readonly email: string;
  readonly privateEmail: string | null;
  readonly employeeNumber: string | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string | null;
  readonly street: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
  readonly countryCode: string | null;
  readonly additionalInfo: string | null;
  readonly blocked: boolean;
}

/** `count` invented people; the same ones each time. */
export function demoPeople(count: number): DemoPerson[] {
  return Array.from({ length: count }, (_, index) => person(index));
}

const remarks = ['Hinterhaus', 'c/o Familie', '3. Stock links'];

function person(index: number): DemoPerson {
  const names = index % 4 === 3 ? otherNames[(index >> 2) % otherNames.length]! : germanNames;
  const firstName = pick(names.first, index, 1);
  const lastName = pick(names.last, index, 2);
  const mailbox = `${mailboxName(firstName, lastName)}.${index + 1}`;
  return {
    email: `${mailbox}@musterwerk.example`,
    privateEmail: chance(index, 3) < 40 ? `${mailbox}@example.org` : null,
    employeeNumber: chance(index, 4) < 95 ? String(10_001 + index) : null,
    firstName,
    lastName,
    phoneNumber: chance(index, 5) < 70 ? `+49 30 55501${String(index).padStart(4, '0')}` : null,
    ...address(index),
    additionalInfo: chance(index, 6) < 5 ? pick(remarks, index, 7) : null,
    blocked: chance(index, 8) < 3,
  };
}

function address(index: number): Pick<DemoPerson, 'street' | 'postalCode' | 'city' | 'countryCode'> {
  if (chance(index, 9) >= 90) return { street: null, postalCode: null, city: null, countryCode: null };
  const [postalCode, city, countryCode] = pick(cities, index, 10);
  return { street: `${pick(streets, index, 11)} ${1 + chance(index, 12)}`, postalCode, city, countryCode };
}

function pick<T>(values: readonly T[], index: number, salt: number): T {
  return values[scattered(index, salt) % values.length]!;
}

/** 0 to 99. */
function chance(index: number, salt: number): number {
  return scattered(index, salt) % 100;
}

/** A number that looks like chance, and is the same each time; `salt` tells the choices of a person apart. */
function scattered(index: number, salt: number): number {
  let mixed = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

const letters: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};

/** Names in the letters that a mailbox usually has; `kontakt` where the script has none of them. */
function mailboxName(firstName: string, lastName: string): string {
  const parts = [firstName, lastName].map(name =>
    name
      .toLowerCase()
      .replace(/[äöüßłđı]/g, letter => letters[letter]!)
      .normalize('NFD')
      .replace(/[^a-z]/g, ''),
  );
  return parts.filter(part => part !== '').join('.') || 'kontakt';
}
