import { createHash, createHmac } from 'node:crypto';
import { ApiError, type OpenIdAnswer } from '@kontor/contract';
import type { Configuration, IDToken, ServerMetadata } from 'openid-client';
import type { OpenIdSettings } from './settings.ts';

/** openid-client implements OpenID Connect Core 1.0. It is loaded at the first sign-in with the issuer. */
const library = () => import('openid-client');

/** Timeout of one request to the issuer, in seconds. Completing a sign-in takes up to four of them within 10 s. */
const requestTimeout = 2.4;

/** Tolerated clock difference to the issuer, in seconds. */
export const clockSkew = 60;

/** Max age in seconds of a fresh sign-in at the issuer. */
const maxAge = 300;

export interface ProvenIdentity {
  /** A hash of issuer and subject. */
  readonly key: string;
  readonly issuer: string;
  /** Null unless the issuer has verified it. */
  readonly email: string | null;
  /** The time of the sign-in at the issuer; null without `auth_time`. */
  readonly authenticatedAt: Date | null;
}

/** An OpenID Connect client. Tokens are not stored. */
export class OpenIdClient {
  readonly name: string;
  readonly issuer: string;
  readonly #settings: OpenIdSettings;
  readonly #publicUrl: () => string;
  readonly #pepper: Buffer;

  constructor(settings: OpenIdSettings, { publicUrl, pepper }: { publicUrl: () => string; pepper: Buffer }) {
    this.name = settings.name;
    this.issuer = settings.issuer;
    this.#settings = settings;
    this.#publicUrl = publicUrl;
    this.#pepper = pepper;
  }

  /** The authorization URL of a sign-in with this secret. With `prompt` the user must sign in again. @throws ApiError BAD_GATEWAY, GATEWAY_TIMEOUT */
  async addressFor(secret: string, prompt: boolean): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
    const configuration = await this.#discover();
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirectUri,
      scope: 'openid email',
      response_type: 'code',
      code_challenge: await calculatePKCECodeChallenge(this.#derive(secret, 'verifier')),
      code_challenge_method: 'S256',
      state: this.#derive(secret, 'state'),
      nonce: this.#derive(secret, 'nonce'),
      ...(prompt && { prompt: 'login', max_age: String(maxAge) }),
    });
    return address.href;
  }

  belongs({ state }: OpenIdAnswer, secret: string): boolean {
    return state === this.#derive(secret, 'state');
  }

  /**
   * Redeems the code of an answer; null when the issuer rejects it. The ID token must be signed by the issuer and issued after the
   * sign-in began (OpenID Connect Core 3.1.3.7).
   * @throws ApiError BAD_GATEWAY, also for an invalid ID token, GATEWAY_TIMEOUT
   */
  async identityIn(
    answer: OpenIdAnswer,
    secret: string,
    { begunAt, prompted }: { begunAt: Date; prompted: boolean },
  ): Promise<ProvenIdentity | null> {
    const { authorizationCodeGrant } = await library();
    const configuration = await this.#discover();
    if (!isFromIssuer(answer, configuration.serverMetadata())) return null;
    try {
      const tokens = await authorizationCodeGrant(configuration, this.#returnAddress(answer), {
        pkceCodeVerifier: this.#derive(secret, 'verifier'),
        expectedState: this.#derive(secret, 'state'),
        expectedNonce: this.#derive(secret, 'nonce'),
        idTokenExpected: true,
        ...(prompted && { maxAge }),
      });
      const claims = tokens.claims()!;
      checkIssuedAt(claims, begunAt);
      return await this.#identityOf(configuration, claims, tokens.access_token);
    } catch (error) {
      if (await isRejection(error)) return null;
      throw issuerFailed(error);
    }
  }

  async #identityOf(
    configuration: Configuration,
    claims: IDToken,
    accessToken: string,
  ): Promise<ProvenIdentity> {
    const { iss, sub, auth_time: seconds } = claims;
    const email = verifiedEmail(claims) ?? (await fetchEmail(configuration, accessToken, sub));
    const key = createHash('sha256')
      .update(JSON.stringify([iss, sub]))
      .digest('base64url');
    const authenticatedAt = typeof seconds === 'number' ? new Date(seconds * 1000) : null;
    return { key, issuer: this.issuer, email, authenticatedAt };
  }

  get #redirectUri(): string {
    return `${this.#publicUrl().replace(/\/+$/, '')}/portal/sign-in/openid`;
  }

  #returnAddress({ code, state, iss }: OpenIdAnswer): URL {
    const query = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) });
    return new URL(`${this.#redirectUri}?${query}`);
  }

  /** State, nonce and verifier are derived from the browser's secret and the pepper, so they need no storage. */
  #derive(secret: string, what: 'state' | 'nonce' | 'verifier'): string {
    return createHmac('sha256', this.#pepper).update(`openid ${what} ${secret}`).digest('base64url');
  }

  /**
   * Fetches the issuer's metadata. Each request makes a new configuration because it caches the keys: new keys work at once, and revoked
   * ones stop. The settings allow plain HTTP only for an issuer on this machine.
   */
  async #discover(): Promise<Configuration> {
    const client = await library();
    const { issuer, clientId, clientSecret } = this.#settings;
    const execute = [client.enableNonRepudiationChecks];
    if (issuer.startsWith('http:')) execute.push(client.allowInsecureRequests);
    const metadata = { [client.clockTolerance]: clockSkew };
    const options = { timeout: requestTimeout, execute };
    try {
      return await client.discovery(
        new URL(issuer),
        clientId,
        metadata,
        client.ClientSecretBasic(clientSecret),
        options,
      );
    } catch (error) {
      throw issuerFailed(error);
    }
  }
}

/** Many issuers return the email only from the userinfo endpoint. */
async function fetchEmail(
  configuration: Configuration,
  accessToken: string,
  subject: string,
): Promise<string | null> {
  if (!configuration.serverMetadata().userinfo_endpoint) return null;
  const { fetchUserInfo } = await library();
  return verifiedEmail(await fetchUserInfo(configuration, accessToken, subject));
}

/** Whether `iss` names this issuer. It may be absent unless the issuer announces support for it (RFC 9207). */
function isFromIssuer({ iss }: OpenIdAnswer, metadata: ServerMetadata): boolean {
  return iss === undefined
    ? !metadata.authorization_response_iss_parameter_supported
    : iss === metadata.issuer;
}

/** Requires an ID token issued after the sign-in began. The library checks `exp`. @throws Error */
function checkIssuedAt({ iat }: IDToken, begunAt: Date): void {
  const isOld = iat < Math.floor(begunAt.getTime() / 1000) - clockSkew;
  if (isOld || iat > Date.now() / 1000 + clockSkew)
    throw new Error(`the ID token was issued ${isOld ? 'before the sign-in began' : 'in the future'}`);
}

function verifiedEmail({ email, email_verified: verified }: Record<string, unknown>): string | null {
  return verified === true && typeof email === 'string' ? email : null;
}

/** Whether the issuer rejects the answer, or the user signed in too long ago. Any other error is a fault of the issuer. */
async function isRejection(error: unknown): Promise<boolean> {
  const { AuthorizationResponseError, ResponseBodyError } = await library();
  if (error instanceof AuthorizationResponseError) return true;
  if (error instanceof ResponseBodyError) return error.error === 'invalid_grant';
  const { code, cause } = error as { code?: string; cause?: { cause?: { claim?: string } } };
  return code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' && cause?.cause?.claim === 'auth_time';
}

function issuerFailed(cause: unknown): ApiError {
  const isLate = cause instanceof Error && (cause as NodeJS.ErrnoException).code === 'OAUTH_TIMEOUT';
  if (isLate)
    return new ApiError('GATEWAY_TIMEOUT', 'The issuer did not answer in time; sign in in another way', {
      cause,
    });
  return new ApiError('BAD_GATEWAY', 'The issuer sent an invalid answer; sign in in another way', {
    cause,
  });
}
