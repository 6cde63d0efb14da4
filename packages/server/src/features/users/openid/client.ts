import { createHash, createHmac } from 'node:crypto';
import { ApiError, type OpenIdAnswer } from '@kontor/contract';
import type { ClientAuth, Configuration, IDToken, ServerMetadata } from 'openid-client';
import type { OpenIdSettings } from './settings.ts';

/** OpenID Connect (Core 1.0) is spoken by openid-client, which is loaded when somebody first signs in at the issuer. */
const library = () => import('openid-client');

/** Longest that the issuer may take for one request, in seconds. The end of a sign-in has up to four, in the 10 s of a request. */
const requestTimeout = 2.4;

/** How far the clocks of the issuer and of this service may differ, in seconds. */
export const clockSkew = 60;

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
  #known: { readonly metadata: Promise<ServerMetadata>; readonly until: number } | null = null;

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
   * Returns the user of the issuer that an answer stands for; null when the browser has brought an answer that the issuer does not accept.
   * `begunAt` is when the sign-in began, `anew` as in {@link addressFor}. Only an ID token counts that a key of the issuer has signed
   * since then (OpenID Connect Core 3.1.3.7).
   * @throws ApiError BAD_GATEWAY, also for an ID token that does not hold, GATEWAY_TIMEOUT
   */
  async identityIn(
    answer: OpenIdAnswer,
    secret: string,
    { begunAt, anew }: { begunAt: Date; anew: boolean },
  ): Promise<ShownIdentity | null> {
    const { authorizationCodeGrant } = await library();
    const configuration = await this.#configuration();
    if (!isFromIssuer(answer, configuration.serverMetadata())) return null;
    try {
      const tokens = await authorizationCodeGrant(configuration, this.#addressOf(answer), {
        pkceCodeVerifier: this.#derived(secret, 'verifier'),
        expectedState: this.#derived(secret, 'state'),
        expectedNonce: this.#derived(secret, 'nonce'),
        idTokenExpected: true,
        ...(anew && { maxAge: maximalAge }),
      });
      const claims = tokens.claims()!;
      checkIssuedAt(claims, begunAt);
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

  /**
   * The issuer as a sign-in asks it. It is made for each one, as the keys of the issuer are cached with it: they are read for each ID token,
   * so that new keys work at once and withdrawn ones no longer.
   */
  async #configuration(): Promise<Configuration> {
    const { Configuration, clockTolerance, enableNonRepudiationChecks } = await library();
    const metadata = await this.#metadata();
    const { clientId } = this.#settings;
    const options = { [clockTolerance]: clockSkew };
    const made = new Configuration(metadata, clientId, options, await this.#authentication());
    made.timeout = requestTimeout;
    for (const extend of await this.#extensions()) extend(made);
    enableNonRepudiationChecks(made);
    return made;
  }

  /** The metadata of the issuer, which are cached. A failure is not. */
  async #metadata(): Promise<ServerMetadata> {
    if (this.#known === null || this.#known.until < performance.now()) {
      const known = { metadata: this.#discovered(), until: performance.now() + metadataLife };
      this.#known = known;
      known.metadata.catch(() => {
        if (this.#known === known) this.#known = null;
      });
    }
    return this.#known.metadata.catch((error: unknown) => {
      throw issuerFailed(error);
    });
  }

  async #discovered(): Promise<ServerMetadata> {
    const { discovery } = await library();
    const { issuer, clientId } = this.#settings;
    const options = { timeout: requestTimeout, execute: await this.#extensions() };
    const found = await discovery(
      new URL(issuer),
      clientId,
      undefined,
      await this.#authentication(),
      options,
    );
    return found.serverMetadata();
  }

  async #authentication(): Promise<ClientAuth> {
    const { ClientSecretBasic } = await library();
    return ClientSecretBasic(this.#settings.clientSecret);
  }

  /** Settings allow plain HTTP for an issuer of this machine only. */
  async #extensions(): Promise<((configuration: Configuration) => void)[]> {
    const { allowInsecureRequests } = await library();
    return this.#settings.issuer.startsWith('http:') ? [allowInsecureRequests] : [];
  }
}

/** Whether an answer names this issuer, or needs not to (RFC 9207). */
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

/** Whether the issuer rejects what the browser has brought, or the user signed in there too long ago; anything else is its own fault. */
async function isRefusal(error: unknown): Promise<boolean> {
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
