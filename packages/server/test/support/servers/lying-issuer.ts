import {
  constants,
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  sign,
  type SignKeyObjectInput,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer, ApiClient } from '../contract/client.ts';
import type { OpenIdOptions } from '../service/service.ts';

/** A key of an issuer. */
export interface IssuerKey {
  readonly kid: string;
  readonly alg: 'RS256' | 'PS256' | 'ES256';
  readonly privateKey: KeyObject;
  readonly jwk: object;
}

export function issuerKey(kid: string, alg: IssuerKey['alg'] = 'RS256'): IssuerKey {
  const { privateKey, publicKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid, alg, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } };
}

/** An ID token with this header and these claims; `signature` is computed from what is signed. */
function idToken(header: object, claims: object, signature: (signed: string) => Buffer): string {
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${signature(signed).toString('base64url')}`;
}

export function signedBy({ privateKey, alg }: IssuerKey): (signed: string) => Buffer {
  const padding = alg === 'PS256' ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const key = {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
    saltLength: 32,
    ...(alg !== 'ES256' && { padding }),
  };
  return signed => sign('sha256', Buffer.from(signed), key as SignKeyObjectInput);
}

export function signedWithSecret(secret: string): (signed: string) => Buffer {
  return signed => createHmac('sha256', secret).update(signed).digest();
}

/** An issuer of OpenID Connect on this machine that gives out any ID token a test wants. */
export interface LyingIssuer {
  readonly settings: OpenIdOptions & { issuer: string; clientSecret: string };
  /** The ID token of every code. */
  idToken: string;
  /** The keys that it publishes. */
  keys: readonly IssuerKey[];
  /** Metadata beside the usual ones, or in their place. */
  metadata: object;
  /** The claims that the userinfo endpoint adds; it exists only with some. */
  userInfo: object | null;
  /** The headers and the body of the last request for tokens. */
  tokenRequest: { readonly authorization: string | undefined; readonly body: URLSearchParams } | null;
  /** Answers for its metadata in another way; null: as usual. */
  answerMetadata: RequestListener | null;
  /** Answers for its keys in another way; null: as usual. */
  answerKeys: RequestListener | null;
  close(): Promise<void>;
}

export async function startLyingIssuer(): Promise<LyingIssuer> {
  const settings = { issuer: '', clientId: 'kontor', clientSecret: 'x'.repeat(43), name: 'Muster-Login' };
  const pages: Record<string, RequestListener> = {
    '/.well-known/openid-configuration': (request, response) =>
      issuer.answerMetadata
        ? issuer.answerMetadata(request, response)
        : json(response, {
            ...metadataOf(settings.issuer),
            ...(issuer.userInfo && { userinfo_endpoint: `${settings.issuer}/userinfo` }),
            ...issuer.metadata,
          }),
    '/userinfo': (_request, response) => json(response, issuer.userInfo!),
    async '/token'(request, response) {
      const { authorization } = request.headers;
      issuer.tokenRequest = { authorization, body: new URLSearchParams(await text(request)) };
      json(response, { access_token: 'any', token_type: 'Bearer', id_token: issuer.idToken });
    },
    '/keys': (request, response) =>
      issuer.answerKeys
        ? issuer.answerKeys(request, response)
        : json(response, { keys: issuer.keys.map(({ jwk }) => jwk) }),
  };
  const server = createServer((request, response) => pages[request.url!]!(request, response));
  const issuer: LyingIssuer = {
    settings,
    idToken: '',
    keys: [],
    metadata: {},
    userInfo: null,
    tokenRequest: null,
    answerMetadata: null,
    answerKeys: null,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  settings.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return issuer;
}

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** It claims to sign with anything, so that a client that trusts its metadata takes anything. */
function metadataOf(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256', 'HS256', 'none'],
    code_challenge_methods_supported: ['S256'],
  };
}

/** The differences from a valid ID token, and from the answer that a browser leads back. */
export interface Lie {
  readonly header?: object;
  readonly claims?: () => object;
  readonly signature?: (signed: string) => Buffer;
  readonly answer?: object;
}

const now = () => Math.floor(Date.now() / 1000);

/** Begins a sign-in, or a confirmation of this session, and finishes it with an ID token for the user with the email. */
export async function finishWith(
  portal: ApiClient,
  issuer: LyingIssuer,
  { email, lie = {}, session }: { email: string; lie?: Lie; session?: string | undefined },
): Promise<Answer<any>> {
  const path = session === undefined ? '/session' : '/session/confirmation';
  const begun = await portal.post(
    `${path}/openid-request`,
    undefined,
    session === undefined ? {} : { key: session },
  );
  if (begun.status !== 200) return begun;
  const { searchParams } = new URL(begun.body.location as string);
  const [key] = issuer.keys;
  const claims = {
    iss: issuer.settings.issuer,
    sub: email,
    aud: issuer.settings.clientId,
    nonce: searchParams.get('nonce'),
    iat: now(),
    exp: now() + 300,
    auth_time: now(),
    email,
    email_verified: true,
    ...lie.claims?.(),
  };
  const header = lie.header ?? { alg: key!.alg, kid: key!.kid };
  issuer.idToken = idToken(header, claims, lie.signature ?? signedBy(key!));
  const [cookie] = begun.headers['set-cookie']![0]!.split(';');
  const cookies = session === undefined ? cookie! : `${cookie}; __Host-kontor=${session}`;
  const body = { code: 'any', state: searchParams.get('state'), ...lie.answer };
  return portal.post(`${path}/openid`, body, { headers: { cookie: cookies } });
}
