import type { Recorded } from '@kontor/contract';
import { requestId } from './recorder.ts';

/** The first instant of the examples; what followed in the run follows here, a minute and some milliseconds apart. */
const firstInstant = Date.parse('2026-09-02T08:15:30.123Z');
const step = 61_007;

/**
 * The recorded answers with fixed values in place of those that are others in each run: identifiers, keys, instants of the run in
 * their order, the end of a key, days of use, the year of an incident's number, request identifiers made by the service, and what is left of a quota.
 */
export function settle(recorded: Recorded, startedAt: Date): Recorded {
  const text = withFixedBytes(JSON.stringify(recorded));
  const ids = numbered(text.match(/\b[0-9a-f]{24}\b/g) ?? []);
  const instants = numbered(instantsIn(text, startedAt).sort());
  const keys = numbered(Array.from(text.matchAll(keyId), ([, id]) => id!));
  const settled = text
    .replaceAll(keyText, 'kontor_$1_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_0ABcde')
    .replaceAll(ownedText, fixedOwned)
    .replaceAll(/\b[0-9A-Za-z]{12}\b|(?<=_)[0-9A-Za-z]{12}(?=_)/g, id =>
      keys.has(id) ? fixedKeyId(id, keys.get(id)!) : id,
    )
    .replaceAll(/\b[0-9a-f]{24}\b/g, id => fixedId(id, ids.get(id)!))
    .replaceAll(instant, found => (instants.has(found) ? fixedInstant(instants.get(found)!) : found))
    .replaceAll(/(?<="lastFour":")[0-9A-Za-z]{4}(?=")/g, 'Bcde')
    .replaceAll(/(?<="day":")\d{4}-\d\d-\d\d(?=")/g, '2026-09-02')
    .replaceAll(/\bS-\d{4}-/g, 'S-2026-')
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, requestId)
    .replaceAll(/wait \d+ second/g, 'wait 18 second')
    .replaceAll(/;t=\d+/g, ';t=60');
  const answer = JSON.parse(settled) as Recorded;
  return { ...answer, headers: { ...answer.headers, 'Retry-After': 18 } };
}

/** Data of browsers, authenticators of passkeys and issuers, which differs in each run. */
const bytes: Readonly<Record<string, string>> = {
  challenge: 'xH0pR3Yx5m0n7w9Qe2cV4bT6uJ8kL1sD3fG5hZ7aWqE',
  clientDataJSON: Buffer.from(
    '{"type":"webauthn","challenge":"xH0pR3Yx","origin":"https://kontor.example.com"}',
  ).toString('base64url'),
  attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg',
  authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
  signature: 'MEUCIQDNlV0kQb6gXQy3PpXn1x8b5T9V7cS2',
  credentialId: 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA',
  userHandle: 'ZfDA_-4AAAAAAAACZfDA_-4AAAAAAAAB',
};

function withFixedBytes(text: string): string {
  const ofPasskeys = new RegExp(`"(${Object.keys(bytes).join('|')})":"[\\w-]+"`, 'g');
  return (
    text
      .replaceAll(ofPasskeys, (_, name: string) => `"${name}":"${bytes[name]}"`)
      .replaceAll(/"type":"public-key","id":"[\w-]+"/g, `"type":"public-key","id":"${bytes['credentialId']}"`)
      .replaceAll(/(?<=__Host-kontor-openid=)[\w-]+/g, bytes['challenge']!)
      // Codes of errors are shorter.
      .replaceAll(/"(code|state)":"[\w-]{43}"/g, '"$1":"SplxlOBeZQQYbYS6WxSbIA"')
      .replaceAll(/"iss":"[^"]+"/g, '"iss":"https://login.example.com"')
      .replaceAll(
        /"location":"[^"]+"/g,
        '"location":"https://login.example.com/authorize?client_id=kontor&response_type=code"',
      )
      .replaceAll(/"user":\{"id":"[\w-]{32}"/g, `"user":{"id":"${bytes['userHandle']}"`)
  );
}

/** The identifier of a key, and its text. */
const keyId = /"(?:id|actorId|targetId)":"([0-9A-Za-z]{12})"/g;
const keyText = /kontor_([0-9A-Za-z]{12})_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/g;

/** The secret of a link or of a session. */
const ownedText = /(kontor[ls])_[0-9a-f]{24}_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/g;
/** With the checksum of a link, so that one is looked for. */
const fixedOwned =
  '$1_65f0c0ffee00000000000001_3vQ7kZ9mB2xT_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_1pESGC';

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
