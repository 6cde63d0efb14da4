import { createHash, createHmac } from 'node:crypto';
import { ApiError, type OpenIdAnswer } from '@kontor/contract';
import type {
  ClientAuth,
  Configuration,
  CustomFetchOptions,
  IDToken,
  ModifyAssertionFunction,
  ServerMetadata,
} from 'openid-client';
import { readEmail, type StatedEmail, statesEmail } from './emails.ts';
import type { ClientCredential, OpenIdSettings, SecretMethod } from './settings.ts';

/** openid-client implements OpenID Connect Core 1.0. It is loaded at the first sign-in with the issuer. */
const library = () => import('openid-client');

/** Timeout of one request to the issuer, in seconds. Completing a sign-in takes up to four of them within 10 s. */
const requestTimeout = 2.4;

/** Tolerated clock difference to the issuer, in seconds. */
export const clockSkew = 60;

/** Max bytes of one answer of the issuer. Tokens with hundreds of groups have some 30 kB. */
const maxAnswer = 1_048_576;

/** Max age in seconds of a fresh sign-in at the issuer. */
const maxAge = 300;

export interface ProvenIdentity {
  /** A hash of issuer and subject. */
  readonly key: string;
  readonly issuer: string;
  readonly stated: StatedEmail;
  /** The time of the sign-in at the issuer; null without `auth_time`. */
  readonly authenticatedAt: Date | null;
}

/** An OpenID Connect client. Tokens are not stored. */
export class OpenIdClient {
  readonly name: string;
  readonly #settings: OpenIdSettings;
  readonly #publicUrl: () => string;
  readonly #pepper: Buffer;

  constructor(settings: OpenIdSettings, { publicUrl, pepper }: { publicUrl: () => string; pepper: Buffer }) {
    this.name = settings.name;
    this.#settings = settings;
    this.#publicUrl = publicUrl;
    this.#pepper = pepper;
  }

  /** The authorization URL of a sign-in with this secret. With `prompt` the user must sign in again. @throws ApiError BAD_GATEWAY, GATEWAY_TIMEOUT */
  async addressFor(secret: string, prompt: boolean): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
    const configuration = await this.#discover();
    const parameters = {
      redirect_uri: this.#redirectUri,
      scope: 'openid email',
      response_type: 'code',
      code_challenge: await calculatePKCECodeChallenge(this.#derive(secret, 'verifier')),
      code_challenge_method: 'S256',
      state: this.#derive(secret, 'state'),
      nonce: this.#derive(secret, 'nonce'),
      ...(prompt && { prompt: 'login', max_age: String(maxAge) }),
    };
    try {
      return buildAuthorizationUrl(configuration, parameters).href;
    } catch (error) {
      // The metadata name no endpoint, or one that is not an address of the web.
      throw issuerFailed(error);
    }
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
      if (await isClientRejection(error))
        throw issuerFailed(
          new Error(
            'the issuer rejected the client (invalid_client); check its secret or key, or set KONTOR_OPENID_CLIENT_AUTHENTICATION',
            { cause: error },
          ),
        );
      throw issuerFailed(error);
    }
  }

  async #identityOf(
    configuration: Configuration,
    claims: IDToken,
    accessToken: string,
  ): Promise<ProvenIdentity> {
    const { iss, sub, auth_time: seconds } = claims;
    const { issuer } = configuration.serverMetadata();
    const all = statesEmail(claims)
      ? claims
      : { ...claims, ...(await fetchClaims(configuration, accessToken, sub)) };
    const key = createHash('sha256')
      .update(JSON.stringify([iss, sub]))
      .digest('base64url');
    const authenticatedAt = typeof seconds === 'number' ? new Date(seconds * 1000) : null;
    return { key, issuer: iss, stated: readEmail(all, issuer, this.#settings.emails), authenticatedAt };
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
    const { issuer, clientId, credential } = this.#settings;
    const execute = [client.enableNonRepudiationChecks];
    if (issuer.startsWith('http:')) execute.push(client.allowInsecureRequests);
    const metadata = { [client.clockTolerance]: clockSkew };
    const options = { timeout: requestTimeout, execute, [client.customFetch]: fetchBounded };
    try {
      const authentication = await authenticationWith(credential);
      const address = namesAnotherIssuer(issuer) ? issuer : `${issuer}/.well-known/openid-configuration`;
      const configuration = await client.discovery(
        new URL(address),
        clientId,
        metadata,
        authentication,
        options,
      );
      if (address !== issuer) checkIssuer(configuration.serverMetadata(), issuer);
      return configuration;
    } catch (error) {
      throw issuerFailed(error);
    }
  }
}

/** At these addresses of Microsoft, the metadata names the issuer of the tenant; the library compares `iss` with that one. */
function namesAnotherIssuer(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'login.microsoftonline.com' || hostname.endsWith('.b2clogin.com');
}

/** Only the configured address may have a slash more or less. @throws Error */
function checkIssuer(metadata: ServerMetadata, configured: string): void {
  if (new URL(metadata.issuer).href.replace(/\/$/, '') !== configured)
    throw new Error(
      'the metadata names another issuer; set KONTOR_OPENID_ISSUER to the issuer that it names',
    );
}

/** Authenticates the client by the first method that the metadata offers. Without a list, the standard says client_secret_basic. */
async function authenticationWith(credential: ClientCredential): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost, modifyAssertion, PrivateKeyJwt } = await library();
  if ('key' in credential) {
    const { key, header } = credential.key;
    return (server, ...request) => {
      // Entra ID and Okta accept this audience only.
      const modify: ModifyAssertionFunction = (itsHeader, payload) => {
        Object.assign(itsHeader, header);
        payload['aud'] = server.token_endpoint!;
      };
      return PrivateKeyJwt(key, { [modifyAssertion]: modify })(server, ...request);
    };
  }
  const { secret, method } = credential;
  const methods = {
    client_secret_basic: ClientSecretBasic(secret),
    client_secret_post: ClientSecretPost(secret),
  };
  return (server, ...request) => methods[method ?? offeredMethod(server)](server, ...request);
}

/** @throws Error when the issuer accepts no secret */
function offeredMethod({ token_endpoint_auth_methods_supported: offered }: ServerMetadata): SecretMethod {
  const methods = ['client_secret_basic', 'client_secret_post'] as const;
  const method = offered === undefined ? methods[0] : methods.find(name => offered.includes(name));
  if (method === undefined)
    throw new Error('the issuer accepts no client secret; set KONTOR_OPENID_CLIENT_KEY_FILE');
  return method;
}

/** Rejects an answer that is too long, which would fill the memory. */
async function fetchBounded(address: string, options: CustomFetchOptions): Promise<Response> {
  const response = await fetch(address, options as RequestInit);
  let left = maxAnswer;
  const bounded = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.byteLength;
        if (left < 0) throw new Error(`the answer of the issuer has more than ${maxAnswer} bytes`);
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(bounded ?? null, response);
}

/** Okta and others return the email or `email_verified` only from the userinfo endpoint. */
async function fetchClaims(
  configuration: Configuration,
  accessToken: string,
  subject: string,
): Promise<Record<string, unknown>> {
  if (!configuration.serverMetadata().userinfo_endpoint) return {};
  const { fetchUserInfo } = await library();
  return fetchUserInfo(configuration, accessToken, subject);
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

/** Whether the issuer rejects the answer, or the user signed in too long ago. Any other error is a fault of the issuer. */
async function isRejection(error: unknown): Promise<boolean> {
  const { AuthorizationResponseError, ResponseBodyError } = await library();
  if (error instanceof AuthorizationResponseError) return true;
  if (error instanceof ResponseBodyError) return error.error === 'invalid_grant';
  const { code, cause } = error as { code?: string; cause?: { cause?: { claim?: string } } };
  return code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' && cause?.cause?.claim === 'auth_time';
}

/** Whether the token endpoint does not accept the credential of the client. */
async function isClientRejection(error: unknown): Promise<boolean> {
  const { ResponseBodyError, WWWAuthenticateChallengeError } = await library();
  if (error instanceof ResponseBodyError) return error.error === 'invalid_client';
  return error instanceof WWWAuthenticateChallengeError && error.cause[0]?.scheme === 'basic';
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
