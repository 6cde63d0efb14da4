import { after } from 'node:test';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { type Fixture, useFixture } from '../support/service/fixture.ts';
import { testToken } from '../support/data/tokens.ts';

/** The fixture with clients of the platform. */
export interface PlatformFixture extends Fixture {
  /** With all permissions, for all organizations. */
  readonly platform: ApiClient;
  /** With all permissions, for the organization of the fixture only. */
  readonly own: ApiClient;
  /** A client with the text of a token, or without one. */
  clientOf(token?: string): ApiClient;
}

/** As `useFixture`, with the platform API of the service. */
export function usePlatform(
  prepare: (fixture: PlatformFixture) => Promise<void> = async () => {},
): PlatformFixture {
  const clients: ApiClient[] = [];
  const fixture: PlatformFixture = Object.assign(
    useFixture(async ({ sql, testData }) => {
      const tokens = [await testToken(sql), await testToken(sql, { organizations: [testData.organization] })];
      const [platform, own] = tokens.map(clientOf);
      Object.assign(fixture, { platform, own });
      await prepare(fixture);
    }),
    { clientOf },
  ) as PlatformFixture;
  after(() => clients.forEach(client => client.close()));

  function clientOf(key?: string): ApiClient {
    const client = apiClient(fixture.service.managementUrl, {
      api: 'platform',
      ...(key !== undefined && { key }),
    });
    clients.push(client);
    return client;
  }
  return fixture;
}
