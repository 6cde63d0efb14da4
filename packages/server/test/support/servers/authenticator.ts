import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { unknownMaker } from './attestation.ts';
import type { PasskeyCreate, PasskeyCreation, PasskeyRequest, PasskeyUse } from '@kontor/contract';

/** What of an authenticator and its browser is otherwise than it should be. */
export interface Faults {
  /** The address of the page. */
  readonly origin?: string;
  /** The domain that the authenticator signs for. */
  readonly rpId?: string;
  readonly type?: string;
  /** Whether the authenticator has checked who uses it. */
  readonly verified?: boolean;
  /** Added to the number of uses. */
  readonly uses?: number;
  readonly userHandle?: string | null;
  /** Signs with another key than the one that was registered. */
  readonly forged?: boolean;
  /** Makes the passkey once more that it has made last. */
  readonly again?: boolean;
  /** Has its maker vouch for it. */
  readonly certified?: boolean;
}

interface Kept {
  readonly id: Buffer;
  readonly key: KeyObject;
  readonly handle: string;
  uses: number;
}

/** An authenticator with the browser before it (Web Authentication, level 3), in software: it keeps passkeys and uses them. */
export class Authenticator {
  readonly #origin: string;
  readonly #kept: Kept[] = [];

  /** `origin` is the address of the pages that it is used on. */
  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Makes a passkey. */
  create(options: PasskeyCreation, name: string, faults: Faults = {}): PasskeyCreate {
    const made = (faults.again && this.#kept.at(-1)) || newPasskey(options.user.id);
    this.#kept.push(made);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(made.id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, made.id, coseKey(createPublicKey(made.key))]);
    const authenticatorBytes = authenticatorData(faults.rpId ?? options.rp.id, faults, 0, credential);
    const clientData = this.#clientData('webauthn.create', options.challenge, faults);
    const statement: [Value, Value][] = faults.certified
      ? [
          ['alg', -7],
          ['sig', sign('sha256', Buffer.concat([authenticatorBytes, sha256(clientData)]), unknownMaker.key)],
          ['x5c', [unknownMaker.certificate]],
        ]
      : [];
    const attested = cbor(
      new Map<Value, Value>([
        ['fmt', faults.certified ? 'packed' : 'none'],
        ['attStmt', new Map(statement)],
        ['authData', authenticatorBytes],
      ]),
    );
    return {
      name,
      credentialId: made.id.toString('base64url'),
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attested.toString('base64url'),
      transports: ['internal'],
    };
  }

  /** Uses the passkey that was made last, or of those that are named the first one that it has. */
  use({ challenge, rpId, allowCredentials }: PasskeyRequest, faults: Faults = {}): PasskeyUse {
    const named = allowCredentials.map(({ id }) => id);
    const passkey = this.#kept.findLast(
      ({ id }) => named.length === 0 || named.includes(id.toString('base64url')),
    );
    if (!passkey) throw new Error('the authenticator has no such passkey');
    passkey.uses += 1 + (faults.uses ?? 0);
    const authenticatorBytes = authenticatorData(faults.rpId ?? rpId, faults, passkey.uses);
    const clientData = this.#clientData('webauthn.get', challenge, faults);
    const key = faults.forged ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : passkey.key;
    return {
      credentialId: passkey.id.toString('base64url'),
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorBytes.toString('base64url'),
      signature: sign('sha256', Buffer.concat([authenticatorBytes, sha256(clientData)]), key).toString(
        'base64url',
      ),
      userHandle: faults.userHandle === undefined ? passkey.handle : faults.userHandle,
    };
  }

  #clientData(type: string, challenge: string, faults: Faults): Buffer {
    const authenticatorBytes = {
      type: faults.type ?? type,
      challenge,
      origin: faults.origin ?? this.#origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(authenticatorBytes));
  }
}

function newPasskey(handle: string): Kept {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { id: randomBytes(32), key: privateKey, handle, uses: 0 };
}

/** The user was there; was checked; and the passkey may be kept elsewhere (backup eligible), but is not. */
const flags = { present: 0x01, verified: 0x04, credential: 0x40 };

function authenticatorData(
  rpId: string,
  { verified = true }: Faults,
  uses: number,
  credential: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flags.present | (verified ? flags.verified : 0) | (credential.length > 0 ? flags.credential : 0);
  head.writeUInt32BE(uses, 1);
  return Buffer.concat([sha256(Buffer.from(rpId)), head, credential]);
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** A public key of P-256 as COSE has it (RFC 9053). */
function coseKey(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' });
  return cbor(
    new Map<Value, Value>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x!, 'base64url')],
      [-3, Buffer.from(y!, 'base64url')],
    ]),
  );
}

type Value = number | string | Buffer | Value[] | Map<Value, Value>;

/** CBOR (RFC 8949) of what authenticators write. */
function cbor(value: Value): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  const pairs = [...value].flat();
  return Buffer.concat([head(5, value.size), ...pairs.map(cbor)]);
}

function head(kind: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(kind << 5) | value]);
  if (value < 256) return Buffer.from([(kind << 5) | 24, value]);
  return Buffer.from([(kind << 5) | 25, value >> 8, value & 0xff]);
}
