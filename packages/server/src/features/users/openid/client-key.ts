import {
  createPrivateKey,
  type JsonWebKey,
  type KeyObject,
  type webcrypto,
  X509Certificate,
} from 'node:crypto';

/** The private key with which the client signs its requests for tokens (`private_key_jwt`). */
export interface ClientKey {
  readonly key: webcrypto.CryptoKey;
  /** Tells the issuer which of its public keys belongs to this one. */
  readonly header: { readonly kid?: string; readonly 'x5t#S256'?: string };
}

/** Parses a key in PEM, with its certificate if the issuer needs it, or as a JWK. @throws Error */
export function parseClientKey(text: string): ClientKey {
  if (text.trimStart().startsWith('{')) {
    const jwk = JSON.parse(text) as JsonWebKey & { kid?: string; alg?: string };
    const key = createPrivateKey({ key: jwk, format: 'jwk' });
    return { key: toCryptoKey(key, jwk.alg), header: jwk.kid === undefined ? {} : { kid: jwk.kid } };
  }
  const key = createPrivateKey(text);
  return { key: toCryptoKey(key), header: text.includes('BEGIN CERTIFICATE') ? thumbprint(text, key) : {} };
}

/** Entra ID finds the public key by the SHA-256 of its certificate. */
function thumbprint(text: string, key: KeyObject): ClientKey['header'] {
  const certificate = new X509Certificate(text.slice(text.indexOf('-----BEGIN CERTIFICATE')));
  if (!certificate.checkPrivateKey(key)) throw new Error('the certificate belongs to another key');
  const digest = Buffer.from(certificate.fingerprint256.replaceAll(':', ''), 'hex');
  return { 'x5t#S256': digest.toString('base64url') };
}

/** RSA signs with RS256, which every issuer accepts, unless the JWK names PS256. */
function toCryptoKey(key: KeyObject, algorithm?: string): webcrypto.CryptoKey {
  switch (key.asymmetricKeyType) {
    case 'rsa': {
      const name = algorithm === 'PS256' ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5';
      return key.toCryptoKey({ name, hash: 'SHA-256' }, false, ['sign']);
    }
    case 'ec': {
      const curves: Readonly<Record<string, string>> = {
        prime256v1: 'P-256',
        secp384r1: 'P-384',
        secp521r1: 'P-521',
      };
      const namedCurve = curves[key.asymmetricKeyDetails?.namedCurve ?? ''];
      if (namedCurve !== undefined) return key.toCryptoKey({ name: 'ECDSA', namedCurve }, false, ['sign']);
      break;
    }
    case 'ed25519':
      return key.toCryptoKey('Ed25519', false, ['sign']);
    default:
  }
  throw new Error('the key must be RSA, EC (P-256, P-384 or P-521) or Ed25519');
}
