import { faker as german } from '@faker-js/faker/locale/de';
import { faker as austrian } from '@faker-js/faker/locale/de_AT';
import { faker as swiss } from '@faker-js/faker/locale/de_CH';
import { faker as greek } from '@faker-js/faker/locale/el';
import { faker as spanish } from '@faker-js/faker/locale/es';
import { faker as french } from '@faker-js/faker/locale/fr';
import { faker as croatian } from '@faker-js/faker/locale/hr';
import { faker as italian } from '@faker-js/faker/locale/it';
import { faker as japanese } from '@faker-js/faker/locale/ja';
import { faker as polish } from '@faker-js/faker/locale/pl';
import { faker as turkish } from '@faker-js/faker/locale/tr';
import { faker as ukrainian } from '@faker-js/faker/locale/uk';
import { faker as vietnamese } from '@faker-js/faker/locale/vi';
import type { Faker } from '@faker-js/faker';

/** The same people on every machine. */
const seed = 20_261_121;

/** Three quarters of the people have German names, whatever the country they live in. */
const international = [
  austrian,
  swiss,
  greek,
  spanish,
  french,
  croatian,
  italian,
  japanese,
  polish,
  turkish,
  ukrainian,
  vietnamese,
];

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
  for (const faker of [german, ...international]) faker.seed(seed);
  return Array.from({ length: count }, (_, index) => person(index));
}

function person(index: number): DemoPerson {
  const names = index % 4 === 3 ? international[(index >> 2) % international.length]! : german;
  const firstName = names.person.firstName();
  const lastName = names.person.lastName();
  const mailbox = `${mailboxName(firstName, lastName)}.${index + 1}`;
  return {
    email: `${mailbox}@musterwerk.example`,
    privateEmail: maybe(0.4, `${mailbox}@example.org`),
    employeeNumber: maybe(0.95, String(10_001 + index)),
    firstName,
    lastName,
    phoneNumber: maybe(0.7, `+49 30 55501${String(index).padStart(4, '0')}`),
    ...address(names),
    additionalInfo: maybe(0.05, german.helpers.arrayElement(['Hinterhaus', 'c/o Familie', '3. Stock links'])),
    blocked: german.datatype.boolean(0.03),
  };
}

function address(names: Faker): Pick<DemoPerson, 'street' | 'postalCode' | 'city' | 'countryCode'> {
  if (!german.datatype.boolean(0.9)) return { street: null, postalCode: null, city: null, countryCode: null };
  const [place, countryCode] =
    names === austrian ? [austrian, 'AT'] : names === swiss ? [swiss, 'CH'] : [german, 'DE'];
  return {
    street: place.location.streetAddress(),
    postalCode: place.location.zipCode(),
    city: place.location.city(),
    countryCode,
  };
}

function maybe(probability: number, value: string): string | null {
  return german.datatype.boolean(probability) ? value : null;
}

const umlauts: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ø: 'o',
  ı: 'i',
};

/** Names in the letters that a mailbox usually has; `kontakt` where the script has none of them. */
function mailboxName(firstName: string, lastName: string): string {
  const parts = [firstName, lastName].map(name =>
    name
      .toLowerCase()
      .replace(/[äöüßłđøı]/g, letter => umlauts[letter]!)
      .normalize('NFD')
      .replace(/[^a-z]/g, ''),
  );
  return parts.filter(part => part !== '').join('.') || 'kontakt';
}
