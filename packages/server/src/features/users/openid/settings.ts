import { readFile } from 'node:fs/promises';
import { OperatorError } from '../../../lib/operator-error.ts';
import { type ClientKey, parseClientKey } from './client-key.ts';
import { type EmailMode, isSharedByTenants } from './emails.ts';

export interface OpenIdSettings {
  /** The configured address, without a slash at the end. */
  readonly issuer: string;
  readonly clientId: string;
  readonly credential: ClientCredential;
  readonly emails: EmailMode;
  /** The name of the issuer on the sign-in page. */
  readonly name: string;
}

export type SecretMethod = 'client_secret_basic' | 'client_secret_post';

/** How the client authenticates at the token endpoint. Without a method, the metadata of the issuer chooses. */
export type ClientCredential =
  { readonly secret: string; readonly method: SecretMethod | null } | { readonly key: ClientKey };

interface Configured {
  readonly openIdIssuer: string | null;
  readonly openIdClientId: string | null;
  readonly openIdClientSecret: string | null;
  readonly openIdClientSecretFile: string | null;
  readonly openIdClientKeyFile: string | null;
  readonly openIdClientAuthentication: SecretMethod | null;
  readonly openIdEmails: EmailMode;
  readonly openIdName: string | null;
}

/** Null without an issuer. @throws OperatorError for an incomplete or unsafe configuration, and an unreadable secret or key */
export async function openIdSettings(config: Configured): Promise<OpenIdSettings | null> {
  const { openIdIssuer, openIdClientId: clientId, openIdEmails: emails, openIdName } = config;
  if (openIdIssuer === null) return null;
  const { protocol, hostname, host, href } = new URL(openIdIssuer);
  if (protocol === 'http:' && !/^(localhost|127\.[0-9.]+|\[::1\])$/.test(hostname))
    throw new OperatorError('KONTOR_OPENID_ISSUER must begin with https://');
  if (clientId === null) throw new OperatorError('KONTOR_OPENID_ISSUER needs KONTOR_OPENID_CLIENT_ID');
  const issuer = href.replace(/\/+(\.well-known\/openid-configuration\/*)?$/, '');
  if (emails === 'trusted' && isSharedByTenants(issuer))
    throw new OperatorError(
      'KONTOR_OPENID_EMAILS=trusted needs an issuer of one Entra ID tenant, such as https://login.microsoftonline.com/<tenant id>/v2.0: at common, organizations and consumers, any stranger can sign in with an email of their choice (nOAuth)',
    );
  const credential = await readCredential(config);
  return { issuer, clientId, credential, emails, name: openIdName ?? host };
}

async function readCredential(config: Configured): Promise<ClientCredential> {
  const { openIdClientSecret, openIdClientSecretFile, openIdClientKeyFile, openIdClientAuthentication } =
    config;
  const method = openIdClientAuthentication;
  if (openIdClientKeyFile !== null) {
    if (openIdClientSecret !== null || openIdClientSecretFile !== null || method !== null)
      throw new OperatorError(
        'KONTOR_OPENID_CLIENT_KEY_FILE replaces KONTOR_OPENID_CLIENT_SECRET, KONTOR_OPENID_CLIENT_SECRET_FILE and KONTOR_OPENID_CLIENT_AUTHENTICATION: remove those',
      );
    return { key: parseKey(await readText('KONTOR_OPENID_CLIENT_KEY_FILE', openIdClientKeyFile)) };
  }
  if (openIdClientSecret !== null) return { secret: openIdClientSecret, method };
  if (openIdClientSecretFile === null)
    throw new OperatorError(
      'KONTOR_OPENID_ISSUER needs KONTOR_OPENID_CLIENT_SECRET, KONTOR_OPENID_CLIENT_SECRET_FILE or KONTOR_OPENID_CLIENT_KEY_FILE',
    );
  return { secret: await readText('KONTOR_OPENID_CLIENT_SECRET_FILE', openIdClientSecretFile), method };
}

async function readText(variable: string, file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new OperatorError(`the file of ${variable} cannot be read`, { cause });
  });
  if (text.trim() === '') throw new OperatorError(`the file of ${variable} is empty`);
  return text.trim();
}

function parseKey(text: string): ClientKey {
  try {
    return parseClientKey(text);
  } catch (cause) {
    throw new OperatorError(
      'the file of KONTOR_OPENID_CLIENT_KEY_FILE must contain a private key without a password, in PEM or as a JWK; a certificate must belong to the key',
      { cause },
    );
  }
}
