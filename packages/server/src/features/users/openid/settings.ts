import { readFile } from 'node:fs/promises';
import type { Config } from '../../../config.ts';
import { OperatorError } from '../../../lib/operator-error.ts';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The name of the issuer on the sign-in page. */
  readonly name: string;
}

type Configured = Pick<
  Config,
  'openIdIssuer' | 'openIdClientId' | 'openIdClientSecret' | 'openIdClientSecretFile' | 'openIdName'
>;

/** Null without an issuer. @throws OperatorError for an incomplete configuration, plain HTTP to another machine, or an unreadable secret */
export async function openIdSettings(config: Configured): Promise<OpenIdSettings | null> {
  const { openIdIssuer: issuer, openIdClientId: clientId } = config;
  if (issuer === null) return null;
  const { protocol, hostname, host } = new URL(issuer);
  if (protocol === 'http:' && !/^(localhost|127\.[0-9.]+|\[::1\])$/.test(hostname))
    throw new OperatorError('KONTOR_OPENID_ISSUER must begin with https://');
  if (clientId === null) throw new OperatorError('KONTOR_OPENID_ISSUER needs KONTOR_OPENID_CLIENT_ID');
  return { issuer, clientId, clientSecret: await readSecret(config), name: config.openIdName ?? host };
}

async function readSecret({ openIdClientSecret, openIdClientSecretFile }: Configured): Promise<string> {
  if (openIdClientSecret !== null) return openIdClientSecret;
  if (openIdClientSecretFile === null)
    throw new OperatorError(
      'KONTOR_OPENID_ISSUER needs KONTOR_OPENID_CLIENT_SECRET or KONTOR_OPENID_CLIENT_SECRET_FILE',
    );
  const secret = await readFile(openIdClientSecretFile, 'utf8').catch((cause: unknown) => {
    throw new OperatorError('the file of KONTOR_OPENID_CLIENT_SECRET_FILE cannot be read', { cause });
  });
  if (secret.trim() === '') throw new OperatorError('the file of KONTOR_OPENID_CLIENT_SECRET_FILE is empty');
  return secret.trim();
}
