import { type Api, apis, type Operation } from '@kontor/contract';
import type { Page, Route } from 'playwright-core';

/** Runs where a text is taken for markup, an attribute, an address or a script. Each begins as a person may begin. */
export const hostileTexts: readonly string[] = [
  '<img src=hostile onerror=xss()>',
  '"><svg onload=xss()>',
  "' autofocus onfocus=xss() x='",
  'javascript:xss()',
  '</script><script>xss()</script>',
  '<iframe srcdoc="<script>parent.xss()</script>">',
  '<base href=//hostile.example><meta http-equiv=refresh content="0;url=//hostile.example">',
  '{{constructor.constructor("xss()")()}}${xss()}<%= xss() %>',
  '<0>link</0><1/><b>bold</b>',
  '\u{202e}gpj.exe\u{2028}xss()\u{2029}<b onclick=xss()>',
  `${'W'.repeat(150)}<details open ontoggle=xss()>`,
];

/** A name that people can give to everything: in a cell of CSV, in a file name and in a search too. */
export const hostileName =
  "Gemeinnützige <img src=hostile onerror=xss()><svg onload=xss()>' onfocus=xss() javascript:xss() {{7*7}}";

/** Strings of answers that pages act on instead of showing them. They are made by the service. */
const ofService = new Set(
  'id actorId targetId targetType action field fields operation code mediaType key rpId transports location link passkeyOrigin currency from'.split(
    ' ',
  ),
);

/** The part of a schema that the texts of people need. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const isText = ({ type, enum: values, const: value, format, pattern }: Schema) =>
  [type].flat().includes('string') && !values && value === undefined && !format && !pattern;

/** The places of all texts in values of a schema, such as `items.name`, that no format limits. */
function textsOf(schema: Schema, path: readonly string[] = []): string[] {
  if (isText(schema)) return ofService.has(path.at(-1) ?? '') ? [] : [path.join('.')];
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    textsOf(part, [...path, name]),
  );
  const others = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])];
  return [...new Set([...below, ...others.flatMap(part => textsOf(part, path))])];
}

/** Adds an attack to the texts at these places of a value, and to those that are missing. The same text gets the same one. */
function attack(
  value: unknown,
  places: ReadonlySet<string>,
  attacked: Set<string>,
  path: readonly string[] = [],
): unknown {
  if (typeof value === 'string' || value === null) {
    if (!places.has(path.join('.'))) return value;
    attacked.add(path.at(-1)!);
    const text = value ?? '';
    // The history shows the values of dates as dates.
    if (text.includes('xss()') || /^\d{4}-\d\d/.test(text)) return text;
    return `${text}${hostileTexts[(text.length + path.join().length) % hostileTexts.length]!}`;
  }
  if (Array.isArray(value)) return value.map(part => attack(part, places, attacked, path));
  if (typeof value !== 'object') return value;
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    attack(part, places, attacked, [...path, name]),
  ]);
  return Object.fromEntries(parts);
}

/** The operations of the portal whose answers contain texts. */
const operations = Object.values<Operation>(apis.portal.operations).flatMap(operation => {
  const { body } = operation.success;
  const places = typeof body === 'string' ? [] : textsOf(body);
  const pattern = new RegExp(`^/portal/api${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return places.length === 0 ? [] : [{ operation, places: new Set(places), pattern }];
});

/** The names of the texts that people can send in a write of any API. */
export function textsOfWrites(): string[] {
  const writes = Object.values<Api>(apis).flatMap(api =>
    Object.values(api.operations).filter(({ method, body }) => method !== 'GET' && body),
  );
  const places = writes.flatMap(({ body }) => textsOf(body as Schema));
  return [...new Set(places.map(nameOf))].toSorted();
}

const nameOf = (place: string) => place.split('.').at(-1)!;

/** Adds an attack to every text that an answer of the portal's API may contain by its contract, and its name to `attacked`. */
export async function attackAnswers(page: Page, attacked: Set<string>): Promise<void> {
  await page.route('**/portal/api/**', async (route: Route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    const found = operations.find(
      ({ operation, pattern }) => operation.method === request.method() && pattern.test(pathname),
    );
    if (!found) return route.continue();
    const response = await route.fetch();
    if (!response.ok()) return route.fulfill({ response });
    const { 'content-encoding': _encoding, 'content-length': _length, ...headers } = response.headers();
    await route.fulfill({
      status: response.status(),
      headers,
      json: attack(await response.json(), found.places, attacked),
    });
  });
}

/** Records scripts that run because of a text, and what the policy of a page rejects. */
export async function setTrap(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.caught = [];
    globalThis.xss = () => caught.push('a script ran');
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => caught.push(violatedDirective + ' ' + blockedURI));`);
}

/** Reads the effects of texts on a page: scripts that ran, rejections of the policy, elements that a text has become. */
export async function readTrap(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const leadsAway = address => {
      const { protocol, host, pathname } = URL.parse(address, location.href) ?? {};
      return protocol === 'javascript:' || host === 'hostile.example' || pathname?.endsWith('/hostile');
    };
    const becameCode = [...document.querySelectorAll('*')].filter(element =>
      element.getAttributeNames().some(name => name === 'srcdoc' || name.startsWith('on')) ||
      ['src', 'href', 'action', 'formaction'].some(name => element.hasAttribute(name) && leadsAway(element.getAttribute(name))));
    return [...caught.splice(0), ...becameCode.map(({ outerHTML }) => outerHTML.slice(0, 200))];
  })()`);
}
