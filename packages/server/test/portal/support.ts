import { after } from 'node:test';
import { type Answer, type ApiClient, apiClient, type RequestOptions } from '../support/client.ts';
import { type Fixture, useFixture } from '../support/fixture.ts';
import { invitedUser, secretOf } from '../support/users.ts';

/** The password of all users in tests. */
export const password = 'correct horse battery staple';

/** The world of tests with a client of the portal that nobody is signed in with. */
export interface PortalFixture extends Fixture {
  readonly portal: ApiClient;
  /** Makes a user of the organization of the world who has set the password, and signs them in. */
  user(): Promise<{ id: string; email: string; secret: string }>;
  signIn(email: string, password?: string, options?: RequestOptions): Promise<Answer<any>>;
}

/** As `useFixture`, with the portal API of the service. */
export function usePortal(
  prepare: (fixture: PortalFixture) => Promise<void> = async () => {},
): PortalFixture {
  const fixture: PortalFixture = Object.assign(
    useFixture(async ({ service }) => {
      Object.assign(fixture, { portal: apiClient(service.url, { api: 'portal' }) });
      await prepare(fixture);
    }),
    {
      async user() {
        const invited = await invitedUser(fixture.sql, fixture.world.organization);
        const body = { secret: secretOf(invited), password };
        const secret = sessionOf(await fixture.portal.post('/invitation/acceptance', body));
        return { id: invited.id, email: invited.email, secret };
      },
      signIn: (email: string, word = password, options: RequestOptions = {}) =>
        fixture.portal.post('/session', { email, password: word }, options),
    },
  ) as PortalFixture;
  after(() => fixture.portal?.close());
  return fixture;
}

/** The secret of the session that an answer has begun. */
export function sessionOf({ headers, body }: Answer<any>): string {
  const [cookie] = headers['set-cookie'] ?? [];
  if (!cookie) throw new Error(JSON.stringify(body));
  return /^__Host-kontor=([^;]*)/.exec(cookie)![1]!;
}

/** Status and code of an answer. */
export function outcome({ status, body }: Answer<any>): string {
  return status === 200 ? '200' : `${status} ${body.error.code}`;
}
