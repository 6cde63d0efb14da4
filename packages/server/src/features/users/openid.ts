import { createHash, createHmac } from 'node:crypto';
import { ApiError, type OpenIdAnswer } from '@kontor/contract';
import type { Configuration, IDToken } from 'openid-client';
import type { OpenIdSettings } from './openid-settings.ts';

/** OpenID Connect (Core 1.0) is spoken by openid-client, which is loaded when somebody first signs in at the issuer. */
const library = () => import('openid-client');

/** Longest that the issuer may take for one request, in seconds: a sign-in has three of them. */
const patience = 3;

/** How long is believed what the issuer says of itself, in milliseconds. */
const metadataLife = 3_600_000;

/** A user must have signed in at the issuer in so many seconds for a fresh sign-in; its clock may be a bit off. */
const maximalAge = 300;

/** Who the issuer says that somebody is. */
export interface ShownIdentity {
  /** Names issuer and subject; no secret, and to nobody who reads it anything. */
  readonly key: string;
  readonly issuer: string;
  /** Null where the issuer does not say that it has verified it. */
  readonly email: string | null;
  /** When they have signed in there; null where the issuer does not say. */
  readonly authenticatedAt: Date | null;
}

/** What the issuer has to be told once more, which nobody but this service and the issuer know. */
type Derived = 'state' | 'nonce' | 'verifier';

/** The way to the issuer and back. Tokens are looked at and forgotten. */
export class OpenIdClient {
  readonly name: string;
  readonly issuer: string;
  readonly #settings: OpenIdSettings;
  readonly #publicUrl: () => string;
  readonly #pepper: Buffer;
  #known: { readonly configuration: Promise<Configuration>; readonly until: number } | null = null;

  constructor(settings: OpenIdSettings, { publicUrl, pepper }: { publicUrl: () => string; pepper: Buffer }) {
    this.name = settings.name;
    this.issuer = settings.issuer;
    this.#settings = settings;
    this.#publicUrl = publicUrl;
    this.#pepper = pepper;
  }

  /**
   * Where the browser goes for what was begun with this secret. `anew` has the issuer ask the user once more.
   * @throws ApiError BAD_GATEWAY, GATEWAY_TIMEOUT
   */
  async addressFor(secret: string, anew: boolean): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
    const configuration = await this.#configuration();
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirectUri,
      scope: 'openid email',
      response_type: 'code',
      code_challenge: await calculatePKCECodeChallenge(this.#derived(secret, 'verifier')),
      code_challenge_method: 'S256',
      state: this.#derived(secret, 'state'),
      nonce: this.#derived(secret, 'nonce'),
      ...(anew && { prompt: 'login', max_age: String(maximalAge) }),
    });
    return address.href;
  }

  /** Whether an answer of the issuer belongs to what was begun with this secret. */
  belongs({ state }: OpenIdAnswer, secret: string): boolean {
    return state === this.#derived(secret, 'state');
  }

  /**
   * Who the issuer says that has come back; null where it says nothing that holds. `anew` as in {@link addressFor}.
   * @throws ApiError BAD_GATEWAY, GATEWAY_TIMEOUT
   */
  async identityIn(answer: OpenIdAnswer, secret: string, anew: boolean): Promise<ShownIdentity | null> {
    const { authorizationCodeGrant } = await library();
    const configuration = await this.#configuration();
    try {
      const tokens = await authorizationCodeGrant(configuration, this.#addressOf(answer), {
        pkceCodeVerifier: this.#derived(secret, 'verifier'),
        expectedState: this.#derived(secret, 'state'),
        expectedNonce: this.#derived(secret, 'nonce'),
        idTokenExpected: true,
        ...(anew && { maxAge: maximalAge }),
      });
      const claims = tokens.claims()!;
      return await this.#identityOf(configuration, claims, tokens.access_token);
    } catch (error) {
      if (await isRefusal(error)) return null;
      throw issuerFailed(error);
    }
  }

  async #identityOf(
    configuration: Configuration,
    claims: IDToken,
    accessToken: string,
  ): Promise<ShownIdentity> {
    const { iss, sub, auth_time: seconds } = claims;
    const email = verifiedEmail(claims) ?? (await this.#emailOf(configuration, accessToken, sub));
    const key = createHash('sha256')
      .update(JSON.stringify([iss, sub]))
      .digest('base64url');
    const authenticatedAt = typeof seconds === 'number' ? new Date(seconds * 1000) : null;
    return { key, issuer: this.issuer, email, authenticatedAt };
  }

  /** Many issuers say the e-mail only to who asks for it. */
  async #emailOf(configuration: Configuration, accessToken: string, subject: string): Promise<string | null> {
    if (!configuration.serverMetadata().userinfo_endpoint) return null;
    const { fetchUserInfo } = await library();
    return verifiedEmail(await fetchUserInfo(configuration, accessToken, subject));
  }

  get #redirectUri(): string {
    return `${this.#publicUrl().replace(/\/+$/, '')}/portal/sign-in/openid`;
  }

  #addressOf({ code, state, iss }: OpenIdAnswer): URL {
    const query = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) });
    return new URL(`${this.#redirectUri}?${query}`);
  }

  /** Nothing of it is stored: it follows from the secret of the browser and the pepper of the service. */
  #derived(secret: string, what: Derived): string {
    return createHmac('sha256', this.#pepper).update(`openid ${what} ${secret}`).digest('base64url');
  }

  /** What the issuer says of itself. A failure is not remembered. */
  async #configuration(): Promise<Configuration> {
    if (this.#known === null || this.#known.until < performance.now()) {
      const known = { configuration: this.#discovered(), until: performance.now() + metadataLife };
      this.#known = known;
      known.configuration.catch(() => {
        if (this.#known === known) this.#known = null;
      });
    }
    return this.#known.configuration.catch((error: unknown) => {
      throw issuerFailed(error);
    });
  }

  async #discovered(): Promise<Configuration> {
    const { allowInsecureRequests, ClientSecretBasic, discovery } = await library();
    const { issuer, clientId, clientSecret } = this.#settings;
    // Settings allow that of this machine only.
    const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
    const options = { timeout: patience, execute };
    const found = await discovery(
      new URL(issuer),
      clientId,
      undefined,
      ClientSecretBasic(clientSecret),
      options,
    );
    found.timeout = patience;
    return found;
  }
}

function verifiedEmail({ email, email_verified: verified }: Record<string, unknown>): string | null {
  return verified === true && typeof email === 'string' ? email : null;
}

/** What openid-client says of an answer that is none for us; anything else is a fault of the issuer, or of its settings. */
const refusals = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
]);

async function isRefusal(error: unknown): Promise<boolean> {
  const { AuthorizationResponseError, ResponseBodyError } = await library();
  if (error instanceof AuthorizationResponseError) return true;
  if (error instanceof ResponseBodyError) return error.error === 'invalid_grant';
  return error instanceof Error && refusals.has((error as NodeJS.ErrnoException).code ?? '');
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
