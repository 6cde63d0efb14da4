import assert from 'node:assert/strict';
import { after } from 'node:test';
import { deviceCookieName, deviceOf } from '../../src/features/users/sessions/cookies.ts';
import { type Answer, type ApiClient, apiClient, type RequestOptions } from '../support/contract/client.ts';
import { type Fixture, useFixture } from '../support/service/fixture.ts';
import { invitedUser, secretOf } from '../support/data/users.ts';
import { testPepper } from '../support/data/test-data.ts';

/** The password of all users in tests. */
export const password = 'correct horse battery staple';

/** The fixture with a client of the portal without a session. */
export interface PortalFixture extends Fixture {
  readonly portal: ApiClient;
  /** Makes a user of the organization of the fixture who has set the password, and signs them in. */
  user(): Promise<{ id: string; email: string; secret: string; acceptance: Answer<any> }>;
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
        const invited = await invitedUser(fixture.sql, fixture.testData.organization);
        const body = { secret: secretOf(invited), password };
        const acceptance = await fixture.portal.post('/invitation/acceptance', body);
        return { id: invited.id, email: invited.email, secret: sessionOf(acceptance), acceptance };
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

/** The device cookie that an answer of a sign-in has set, as a browser sends it. */
export function deviceCookieOf({ headers, body }: Answer<any>): string {
  const cookie = headers['set-cookie']?.find(one => one.startsWith(`${deviceCookieName}=`));
  if (!cookie) throw new Error(JSON.stringify(body));
  return cookie.split(';')[0]!;
}

/** Asserts that an answer has made the browser known as one of its user. */
export function assertKnown(answer: Answer<any>): void {
  const cookie = deviceCookieOf(answer).slice(deviceCookieName.length + 1);
  assert.ok(deviceOf(testPepper, cookie, answer.body.user.email));
}

/** Status and code of an answer. */
export function outcome({ status, body }: Answer<any>): string {
  return status === 200 ? '200' : `${status} ${body.error.code}`;
}
