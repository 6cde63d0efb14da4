import type { Recorded } from '@kontor/contract';
import { requestId } from './recorder.ts';

/** The first instant of the examples; what followed in the run follows here, a minute and some milliseconds apart. */
const firstInstant = Date.parse('2026-09-02T08:15:30.123Z');
const step = 61_007;

/**
 * Puts fixed values in place of those that differ in each run. These are identifiers, keys, the year in the number of an incident, and the
 * rest of a quota. Instants of the run keep their order.
 */
export function settle(recorded: Recorded, startedAt: Date): Recorded {
  const text = JSON.stringify(recorded);
  const ids = numbered(text.match(/\b[0-9a-f]{24}\b/g) ?? []);
  const instants = numbered(instantsIn(text, startedAt).sort());
  const keys = numbered(Array.from(text.matchAll(keyId), ([, id]) => id!));
  const settled = text
    .replaceAll(keyText, 'kontor_$1_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_0ABcde')
    .replaceAll(linkText, fixedLink)
    .replaceAll(/\b[0-9A-Za-z]{12}\b|(?<=_)[0-9A-Za-z]{12}(?=_)/g, id =>
      keys.has(id) ? fixedKeyId(id, keys.get(id)!) : id,
    )
    .replaceAll(/\b[0-9a-f]{24}\b/g, id => fixedId(id, ids.get(id)!))
    .replaceAll(instant, found => (instants.has(found) ? fixedInstant(instants.get(found)!) : found))
    .replaceAll(/\bS-\d{4}-/g, 'S-2026-')
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, requestId)
    .replaceAll(/wait \d+ second/g, 'wait 18 second')
    .replaceAll(/;t=\d+/g, ';t=60');
  const answer = JSON.parse(settled) as Recorded;
  return { ...answer, headers: { ...answer.headers, 'Retry-After': 18 } };
}

/** The identifier of a key, and its text. */
const keyId = /"(?:id|actorId|targetId)":"([0-9A-Za-z]{12})"/g;
const keyText = /kontor_([0-9A-Za-z]{12})_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/g;

/** The secret of a link. */
const linkText = /kontorl_[0-9a-f]{24}_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/g;
/** With its checksum, so that one is looked for. */
const fixedLink =
  'kontorl_65f0c0ffee00000000000001_3vQ7kZ9mB2xT_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_1pESGC';

const instant = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** The instants of the run; those in the scenario itself are earlier. */
function instantsIn(text: string, startedAt: Date): string[] {
  return (text.match(instant) ?? []).filter(found => Date.parse(found) >= startedAt.getTime() - 60_000);
}

function numbered(found: readonly string[]): Map<string, number> {
  return new Map([...new Set(found)].map((value, index) => [value, index]));
}

function fixedId(id: string, number: number): string {
  // The identifiers of an unknown resource, and of one that a dry run would have created.
  if (/^(0{24}|f{24})$/.test(id)) return id;
  return `65f0c0ffee${(number + 1).toString(16).padStart(14, '0')}`;
}

function fixedKeyId(id: string, number: number): string {
  return /^0{12}$/.test(id) ? id : `3vQ7kZ9mB2x${number.toString(36)}`;
}

function fixedInstant(number: number): string {
  return new Date(firstInstant + number * step).toISOString();
}
