/** Whether an email counts only with `email_verified`, or the operator trusts the issuer to send no other ones. */
export type EmailMode = 'verified' | 'trusted';

type Claims = Readonly<Record<string, unknown>>;

/** The email of an identity, or the claim that is missing or wrong. */
export type StatedEmail = { readonly email: string } | { readonly claim: string };

/** Whether the claims decide about the email, so that the userinfo endpoint has nothing to add. */
export function statesEmail({ email, email_verified: verified }: Claims): boolean {
  return isStated(email) && isStated(verified);
}

/** `issuer` is the one of the metadata. */
export function readEmail(claims: Claims, issuer: string, mode: EmailMode): StatedEmail {
  const { email, email_verified: verified } = claims;
  // Every tenant of Entra ID signs in here, and the administrators of a tenant choose its emails.
  if (issuer.includes('{tenantid}')) return { claim: 'iss' };
  if (typeof email !== 'string' || email === '') return { claim: 'email' };
  if (!isTrue(verified) && (mode === 'verified' || isStated(verified))) return { claim: 'email_verified' };
  return isOfGoogle(issuer) && !isHostedByGoogle(email, claims) ? { claim: 'hd' } : { email };
}

const isStated = (claim: unknown): boolean => claim !== undefined && claim !== null;

/** Cognito and JumpCloud send a text. */
const isTrue = (verified: unknown): boolean => verified === true || verified === 'true';

const isOfGoogle = (issuer: string): boolean => issuer === 'https://accounts.google.com';

/** Google verifies an email of another provider once; later it may belong to another person. */
const isHostedByGoogle = (email: string, { hd: domain }: Claims): boolean =>
  isStated(domain) || email.toLowerCase().endsWith('@gmail.com');

/** Addresses of Entra ID at which the accounts of every organization sign in; the last one is for personal accounts. */
const sharedTenants = ['common', 'organizations', 'consumers', '9188040d-6c67-4c5b-b112-36a304b66dad'];

/** Whether an issuer is an address of Entra ID that is not limited to one tenant. */
export function isSharedByTenants(issuer: string): boolean {
  const { hostname, pathname } = new URL(issuer);
  const isOfMicrosoft = /(^|\.)(microsoftonline\.(com|us|de|cn)|windows\.net)$/.test(hostname);
  return (
    isOfMicrosoft &&
    sharedTenants.includes(
      pathname
        .split('/')
        .find(part => part !== '')
        ?.toLowerCase() ?? '',
    )
  );
}
