import { after, beforeEach } from 'node:test';
import { outcome } from '../portal/support.ts';
import { type Answer, type ApiClient, apiClient } from '../support/contract/client.ts';
import { invitedUser } from '../support/data/users.ts';
import {
  finishWith,
  issuerKey,
  type Lie,
  type LyingIssuer,
  startLyingIssuer,
} from '../support/servers/lying-issuer.ts';
import { useFixture } from '../support/service/fixture.ts';
import { type OpenIdOptions, startService, type TestService } from '../support/service/service.ts';

/** The key that the issuer publishes at the beginning of each test. */
export const key = issuerKey('first');

interface Differences {
  readonly options?: Partial<OpenIdOptions>;
  readonly metadata?: object;
  readonly lie?: Lie;
}

/** A service whose users sign in at a lying issuer. Each test begins with an issuer that tells no lie. */
export interface IssuerFixture {
  readonly issuer: LyingIssuer;
  readonly service: TestService;
  readonly portal: ApiClient;
  /** Invites a user, and returns the email. */
  invite(): Promise<string>;
  /** The outcome of the sign-in of an invited user. */
  signIn(lie?: Lie): Promise<string>;
  /** Signs an invited user in at a service that reaches the issuer by this address. `asked` has the addresses of its requests. */
  signInAt(
    address: string,
    differences?: Differences,
  ): Promise<{ answer: Answer<any>; log: readonly string[]; asked: readonly string[] }>;
}

export function useLyingIssuer(): IssuerFixture {
  const resources = new AsyncDisposableStack();
  const base = useFixture(async ({ sql }) => {
    const issuer = await startLyingIssuer();
    resources.defer(() => issuer.close());
    const service = await startService(sql, { openId: issuer.settings });
    resources.defer(() => service.stop());
    const portal = apiClient(service.url, { api: 'portal' });
    resources.defer(() => portal.close());
    Object.assign(fixture, { issuer, service, portal });
  });
  after(() => resources.disposeAsync());
  beforeEach(() => {
    const honest = { keys: [key], metadata: {}, userInfo: null, answerMetadata: null, answerKeys: null };
    Object.assign(fixture.issuer, honest);
  });
  const invite = async () => (await invitedUser(base.sql, base.testData.organization)).email;
  const fixture: IssuerFixture = Object.assign({} as IssuerFixture, {
    invite,
    async signIn(lie: Lie = {}) {
      const email = await invite();
      return outcome(await finishWith(fixture.portal, fixture.issuer, { email, lie }));
    },
    async signInAt(address: string, { options, metadata, lie = {} }: Differences = {}) {
      const { issuer } = fixture;
      const own = issuer.settings.issuer;
      const usual = globalThis.fetch;
      const asked: string[] = [];
      globalThis.fetch = (to, ...more) => {
        asked.push(to as string);
        return usual((to as string).replace(address, own), ...more);
      };
      const named = { ...issuer, settings: { ...issuer.settings, issuer: address } };
      issuer.metadata = {
        issuer: address,
        authorization_endpoint: `${address}/authorize`,
        token_endpoint: `${address}/token`,
        jwks_uri: `${address}/keys`,
        ...metadata,
      };
      const set = new Proxy(named, { set: (_target, name, value) => Reflect.set(issuer, name, value) });
      const started = await startService(base.sql, { openId: { ...named.settings, ...options } });
      const client = apiClient(started.url, { api: 'portal' });
      try {
        const email = await invite();
        return { answer: await finishWith(client, set, { email, lie }), log: started.log, asked };
      } finally {
        globalThis.fetch = usual;
        client.close();
        await started.stop();
      }
    },
  });
  return fixture;
}
