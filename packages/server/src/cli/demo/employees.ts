import type { EmployeeCreate } from '@kontor/contract';

/** The personal fields of an employee, absent ones being null; the caller adds tenant and division. */
export type DemoEmployee = Omit<EmployeeCreate, 'tenant' | 'divisionId'>;

/** `count` invented people; the same ones each time. */
export function demoEmployees(count: number): DemoEmployee[] {
  return Array.from({ length: count }, (_, index) => person(index));
}

/** First and last names that occur together. */
interface Names {
  readonly first: readonly string[];
  readonly last: readonly string[];
}

const words = (text: string) => text.trim().split(/\s+/);

const germanNames: Names = {
  first: words(`
    Anna Ben Clara Daniel Emma Felix Greta Hannah Ida Jonas Käthe Lukas Marie Niklas Ole Paula Quirin Rosa Sören Theresa
    Ulrike Viktor Wiebke Xaver Yannick Zoë Jörg Jürgen Björn Änne Günther Lotte Mira Noah Leonie Moritz Friederike Hans-Peter`),
  last: words(`
    Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter Klein Wolf
    Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Hartmann Lange Schmitt Werner Krause Meier Lehmann
    Schulze Köhler Herrmann König Walter Huber Kaiser Fuchs Peters Lang Scholz Möller Weiß Jung Hahn Schubert Vogel
    Friedrich Keller Günther Berger Winkler Roth Beck Lorenz Baumann Franke Albrecht Schuster Groß Böhm Strauß`),
};

/** The names of every fourth person: alphabets and letters that an integration must be able to take. */
const otherNames: readonly Names[] = [
  { first: words('Αλεξάνδρα Γιώργος Ελένη Νίκος'), last: words('Παπαδόπουλος Οικονόμου Γεωργίου Νικολάου') },
  { first: words('Олена Андрій Ірина Тарас'), last: words('Шевченко Коваленко Бондаренко Ткачук') },
  { first: words('陽子 健太 美咲 翔'), last: words('佐藤 鈴木 高橋 田中') },
  { first: words('Ayşe İbrahim Gülşen Çağlar'), last: words('Yılmaz Şahin Öztürk Işık') },
  { first: words('Małgorzata Łukasz Agnieszka Paweł'), last: words('Wójcik Kowalczyk Żukowski Łuczak') },
  { first: words('José Lucía Íñigo Begoña'), last: words('García Núñez Peña Ibáñez') },
  { first: words('François Zoé Anaïs Jérôme'), last: words('Lefèvre Dubois Noël Gérard') },
  { first: words('Željka Đuro Ivana Krešimir'), last: words('Horvat Kovačević Marić Đukić') },
  { first: words('Giulia Niccolò Chiara Matteo'), last: words('Rossi D’Angelo Ferrari Bianchi') },
  { first: words('Nguyệt Đức Thảo Minh'), last: words('Nguyễn Trần Phạm Đặng') },
  { first: words('Reto Ursina Beat Seraina'), last: words('Zürcher Ammann Bächtold Caflisch') },
  { first: words('Siân Seán Aoife Róisín'), last: words("O'Brien Murphy MacDonald Ó'Conaill") },
];

const streets = words(
  'Hauptstraße Gartenweg Lindenallee Bahnhofstraße Mühlweg Schulstraße Bergstraße Königsallee Am-Anger Uferstraße',
);

/** Postal code, city and country. */
const cities: readonly (readonly [string, string, string])[] = [
  ['10115', 'Berlin', 'DE'],
  ['20095', 'Hamburg', 'DE'],
  ['80331', 'München', 'DE'],
  ['50667', 'Köln', 'DE'],
  ['60311', 'Frankfurt am Main', 'DE'],
  ['70173', 'Stuttgart', 'DE'],
  ['40213', 'Düsseldorf', 'DE'],
  ['04109', 'Leipzig', 'DE'],
  ['01067', 'Dresden', 'DE'],
  ['30159', 'Hannover', 'DE'],
  ['97070', 'Würzburg', 'DE'],
  ['1010', 'Wien', 'AT'],
  ['8001', 'Zürich', 'CH'],
];

const remarks = ['Hinterhaus', 'c/o Familie', '3. Stock links'];

function person(index: number): DemoEmployee {
  const names = index % 4 === 3 ? otherNames[(index >> 2) % otherNames.length]! : germanNames;
  const firstName = pick(names.first, index, 1);
  const lastName = pick(names.last, index, 2);
  const mailbox = `mitarbeiter.${index + 1}`;
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

function address(index: number): Pick<DemoEmployee, 'street' | 'postalCode' | 'city' | 'countryCode'> {
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

/** Returns a number that looks random and is the same each time; each choice about a person has its own `salt`. */
function scattered(index: number, salt: number): number {
  let mixed = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
