/** First and last names that occur together. */
interface Names {
  readonly first: readonly string[];
  readonly last: readonly string[];
}

const words = (text: string) => text.trim().split(/\s+/);

export const germanNames: Names = {
  first: words(`
    Anna Ben Clara Daniel Emma Felix Greta Hannah Ida Jonas Käthe Lukas Marie Niklas Ole Paula Quirin Rosa Sören Theresa
    Ulrike Viktor Wiebke Xaver Yannick Zoë Jörg Jürgen Björn Änne Günther Lotte Mira Noah Leonie Moritz Friederike Hans-Peter`),
  last: words(`
    Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter Klein Wolf
    Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Hartmann Lange Schmitt Werner Krause Meier Lehmann
    Schulze Köhler Herrmann König Walter Huber Kaiser Fuchs Peters Lang Scholz Möller Weiß Jung Hahn Schubert Vogel
    Friedrich Keller Günther Berger Winkler Roth Beck Lorenz Baumann Franke Albrecht Schuster Groß Böhm Strauß`),
};

/** One in four of the people of the demo: the alphabets and letters that an integration must be able to take. */
export const otherNames: readonly Names[] = [
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

export const streets = words(
  'Hauptstraße Gartenweg Lindenallee Bahnhofstraße Mühlweg Schulstraße Bergstraße Königsallee Am-Anger Uferstraße',
);

/** Postal code, city and country. */
export const cities: readonly (readonly [string, string, string])[] = [
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
