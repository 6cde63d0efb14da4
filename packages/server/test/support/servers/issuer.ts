import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import type { Answer, ApiClient } from '../contract/client.ts';
import type { OpenIdOptions } from '../service/service.ts';

/** Somebody whom the issuer knows, by a name of its own. */
interface Person {
  readonly email?: string | null;
  readonly email_verified?: boolean | string | null;
  readonly groups?: readonly string[];
  readonly hd?: string;
}

/** The differences of an issuer from the defaults of oidc-provider. */
export interface IssuerShape {
  /** The path of the issuer, such as `/realms/muster`. */
  readonly path?: string;
  /** Settings of the client. */
  readonly client?: object;
  /** Another client that has a key instead of a secret. */
  readonly keyClient?: { readonly clientId: string; readonly publicKey: KeyObject };
  /** Settings of the issuer. */
  readonly provider?: object;
}

/** An issuer of OpenID Connect on this machine, which signs in every user who enters a name. */
export interface TestIssuer {
  readonly settings: OpenIdOptions & { clientSecret: string };
  /** Whom it knows, which tests add to. */
  readonly staff: Map<string, Person | ((use: 'id_token' | 'userinfo') => Person)>;
  /** Has it answer in another way, such as not at all; null: as usual. */
  answer: RequestListener | null;
  close(): Promise<void>;
}

/** Starts an issuer that leads back to these addresses. */
export async function startIssuer(
  redirectUris: readonly string[],
  shape: IssuerShape = {},
): Promise<TestIssuer> {
  const path = shape.path ?? '';
  const staff: TestIssuer['staff'] = new Map();
  let usual: RequestListener = (_request, response) => response.destroy();
  const issuer: TestIssuer = {
    settings: {
      issuer: '',
      clientId: 'kontor',
      clientSecret: 'the secret of all tests',
      name: 'Muster-Login',
    },
    staff,
    answer: null,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  const server = createServer((request, response) => {
    // Koa finds the path at which it is mounted by the original address.
    Object.assign(request, { originalUrl: request.url });
    request.url = request.url!.replace(path.replace(/\/$/, ''), '');
    (issuer.answer ?? usual)(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  Object.assign(issuer.settings, { issuer: address });
  usual = new Provider(address, configuration(issuer, redirectUris, shape)).callback();
  return issuer;
}

function configuration(
  { settings, staff }: TestIssuer,
  redirectUris: readonly string[],
  { client, keyClient, provider }: IssuerShape,
): object {
  return {
    clients: [
      {
        client_id: settings.clientId,
        client_secret: settings.clientSecret,
        redirect_uris: [...redirectUris],
        application_type: 'native',
        ...client,
      },
      ...(keyClient
        ? [
            {
              client_id: keyClient.clientId,
              token_endpoint_auth_method: 'private_key_jwt',
              jwks: { keys: [keyClient.publicKey.export({ format: 'jwk' })] },
              redirect_uris: [...redirectUris],
              application_type: 'native',
            },
          ]
        : []),
    ],
    cookies: { keys: ['the keys of all tests'] },
    claims: { email: ['email', 'email_verified', 'groups', 'hd'] },
    pkce: { required: () => true },
    findAccount: (_context: unknown, name: string) => ({
      accountId: name,
      claims(use: 'id_token' | 'userinfo') {
        const person = staff.get(name);
        return { sub: name, ...(typeof person === 'function' ? person(use) : person) };
      },
    }),
    ...provider,
  };
}

/** A browser at an issuer, without a window: it keeps cookies and fills in forms. */
export class IssuerVisitor {
  readonly #cookies = new Map<string, string>();

  /** Signs in under a name where it is asked for it, and consents; answers the address that the issuer leads back to. */
  async signIn(location: string, name: string, leadsTo: string): Promise<URL> {
    let next = new URL(location);
    for (let step = 0; step < 12; step++) {
      if (next.href.startsWith(leadsTo)) return next;
      const page = await this.#ask(next);
      const to = page.headers.get('location');
      next = to === null ? await this.#fill(next, await page.text(), name) : new URL(to, next);
    }
    throw new Error(`the issuer does not lead back; the last address was ${next.href}`);
  }

  async #fill(page: URL, html: string, name: string): Promise<URL> {
    const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1];
    if (prompt === undefined) throw new Error(`the issuer shows ${html.slice(0, 500)}`);
    const form = { prompt, ...(prompt === 'login' && { login: name, password: 'any' }) };
    const answer = await this.#ask(page, new URLSearchParams(form));
    return new URL(answer.headers.get('location')!, page);
  }

  async #ask(address: URL, form?: URLSearchParams): Promise<Response> {
    const cookie = Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      this.#cookies.set(name!, value!);
    }
    return answer;
  }
}

/** Begins at this path of the portal, signs in at the issuer under a name, and finishes, in a new browser. With the key of a session: in that. */
export async function visitIssuer(
  portal: ApiClient,
  name: string,
  {
    begin = '/session/openid-request',
    finish = '/session/openid',
    key,
  }: { begin?: string; finish?: string; key?: string } = {},
): Promise<Answer<any>> {
  const begun = await portal.request('POST', begin, key === undefined ? {} : { key });
  if (begun.status !== 200) return begun;
  const leadsTo = 'https://kontor.example.com/portal/sign-in/openid';
  const { searchParams } = await new IssuerVisitor().signIn(begun.body.location as string, name, leadsTo);
  const cookie = begun.headers['set-cookie']![0]!.split(';')[0]!;
  return portal.post(finish, Object.fromEntries(searchParams), {
    headers: { cookie: key === undefined ? cookie : `${cookie}; __Host-kontor=${key}` },
  });
}

/** The paths with which a signed-in user connects an identity. */
export const linkPaths = { begin: '/openid-link-request', finish: '/openid-link' };
