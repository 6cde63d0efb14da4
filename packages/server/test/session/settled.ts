/** The request identifier that the session sends. */
export const sentRequestId = '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21';

const identifier = /\b(?:[0-9a-f]{24}|[0-9A-F]{24})\b/g;
const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const instant = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/**
 * A session without the values that differ in each run, by one rule. Identifiers are numbered in the order in which they appear. Names replace
 * the instants since the start, request identifiers of the service, the date, the year of an incident's number and the seconds
 * until a quota is whole again. All else stays as it was on the wire.
 */
export function settled(text: string, startedAt: Date): string {
  const numbers = new Map<string, number>();
  const numbered = (text: string) => {
    // The identifiers of an unknown resource, and of one that a dry run would have created.
    if (/^(0{24}|f{24})$/.test(text)) return text;
    const id = text.toLowerCase();
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    return `<${id === text ? 'id' : 'ID'} ${numbers.get(id)}>`;
  };
  return text
    .replaceAll(uuid, id => (id === sentRequestId ? id : '<request id>'))
    .replaceAll(identifier, numbered)
    .replaceAll(instant, at => (Date.parse(at) < startedAt.getTime() - 60_000 ? at : '<instant>'))
    .replaceAll(/^Date: .*$/gm, 'Date: <date>')
    .replaceAll(/\bS-\d{4}-/g, 'S-<year>-')
    .replaceAll(/;t=\d+/g, ';t=<seconds>')
    .replaceAll(/^Retry-After: \d{4,}$/gm, 'Retry-After: <seconds>')
    .replaceAll(/wait \d{4,} seconds/g, 'wait <seconds> seconds');
}
