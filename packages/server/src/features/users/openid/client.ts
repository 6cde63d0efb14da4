import { createHash, createHmac } from 'node:crypto';
import { ApiError, type OpenIdAnswer } from '@kontor/contract';
import type { Configuration, IDToken, ServerMetadata } from 'openid-client';
import type { OpenIdSettings } from './settings.ts';

/** openid-client speaks OpenID Connect (Core 1.0). It is loaded with the first sign-in at the issuer. */
const library = () => import('openid-client');

/** Longest time of one request to the issuer, in seconds. The end of a sign-in sends up to four within the 10 s of a request. */
const requestTimeout = 2.4;

/** How far the clock of the issuer may differ, in seconds. */
export const clockSkew = 60;

/** The age of a sign-in at the issuer that still counts as fresh, in seconds. */
const maxAge = 300;

/** A user of the issuer, by a verified ID token. */
export interface ProvenIdentity {
  /** A hash of issuer and subject. */
  readonly key: string;
  readonly issuer: string;
  /** Null unless the issuer has verified it. */
  readonly email: string | null;
  /** When the user signed in at the issuer; null when the issuer does not say. */
  readonly authenticatedAt: Date | null;
}

/** The client of the issuer. Tokens are verified and dropped. */
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

  /**
   * The address at the issuer for a sign-in with this secret. With `prompt` the issuer asks the user again.
   * @throws ApiError BAD_GATEWAY, GATEWAY_TIMEOUT
   */
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

  /** Whether an answer of the issuer belongs to the sign-in with this secret. */
  belongs({ state }: OpenIdAnswer, secret: string): boolean {
    return state === this.#derive(secret, 'state');
  }

  /**
   * Redeems an answer for the identity of its user; null when the issuer does not accept the answer. The ID token must be signed by
   * the issuer and issued since the sign-in began (OpenID Connect Core 3.1.3.7).
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

  /** State, nonce and verifier follow from the secret of the browser and the pepper, so none is stored. */
  #derive(secret: string, what: 'state' | 'nonce' | 'verifier'): string {
    return createHmac('sha256', this.#pepper).update(`openid ${what} ${secret}`).digest('base64url');
  }

  /**
   * Reads the metadata of the issuer. The configuration also caches its keys, so each request makes a new one: new keys work at once,
   * withdrawn ones no longer. Settings allow plain HTTP for an issuer on this machine only.
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

/** Many issuers return the e-mail only here. */
async function fetchEmail(
  configuration: Configuration,
  accessToken: string,
  subject: string,
): Promise<string | null> {
  if (!configuration.serverMetadata().userinfo_endpoint) return null;
  const { fetchUserInfo } = await library();
  return verifiedEmail(await fetchUserInfo(configuration, accessToken, subject));
}

/** Whether an answer names this issuer, or need not (RFC 9207). */
function isFromIssuer({ iss }: OpenIdAnswer, metadata: ServerMetadata): boolean {
  return iss === undefined
    ? !metadata.authorization_response_iss_parameter_supported
    : iss === metadata.issuer;
}

/** Checks that an ID token was issued since the sign-in began. The library checks `exp`. @throws Error */
function checkIssuedAt({ iat }: IDToken, begunAt: Date): void {
  const isOld = iat < Math.floor(begunAt.getTime() / 1000) - clockSkew;
  if (isOld || iat > Date.now() / 1000 + clockSkew)
    throw new Error(`the ID token was issued ${isOld ? 'before the sign-in began' : 'in the future'}`);
}

function verifiedEmail({ email, email_verified: verified }: Record<string, unknown>): string | null {
  return verified === true && typeof email === 'string' ? email : null;
}

/** Whether the issuer rejects the answer, or its user signed in too long ago. Any other error is a fault of the issuer. */
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
  return new ApiError('BAD_GATEWAY', 'The issuer does not answer as it should; sign in in another way', {
    cause,
  });
}
