import { bodyLimits, type Incident } from '@kontor/contract';
import { incidentTestData, type IncidentTestData } from '../features/incidents/support.ts';
import { type ApiClient, apiClient, multipart } from '../support/contract/client.ts';
import { testToken } from '../support/data/tokens.ts';
import { invitedUser, secretOf } from '../support/data/users.ts';
import type { IncompleteRequest } from './incomplete-bodies.ts';

/** Where the attacked service answers. */
export interface Attacked {
  /** Without a path. */
  readonly url: string;
  readonly managementUrl: string;
}

/** A request of an honest client, which answers its status. */
export interface HonestRequest {
  readonly name: string;
  /** The status of its success. */
  readonly status: number;
  send(): Promise<number>;
}

const password = 'correct horse battery staple';

/** A database with two customers: one attacks with its key and its token, the other one works. */
export class BodyAttack {
  readonly testData: IncidentTestData;
  readonly #tokens: { readonly attacker: string; readonly honest: string };

  static async prepare(): Promise<BodyAttack> {
    const testData = await incidentTestData();
    const tokens = { attacker: await testToken(testData.sql), honest: await testToken(testData.sql) };
    return new BodyAttack(testData, tokens);
  }

  private constructor(testData: IncidentTestData, tokens: { attacker: string; honest: string }) {
    this.testData = testData;
    this.#tokens = tokens;
  }

  get databaseUrl(): string {
    return this.testData.database.url;
  }

  /** The requests of attackers, which declare nearly 5 MiB and send a byte, by name. */
  attacks({
    url,
    managementUrl,
  }: Attacked): Record<'signIn' | 'upload' | 'unknownToken' | 'batch', IncompleteRequest> {
    const { foreign, keys } = this.testData.testData;
    const byte = { declared: 5_242_000, sent: Buffer.from('{') };
    const json = { ...byte, contentType: 'application/json' };
    const batches = `${managementUrl}/platform/v1/organizations/${foreign.organization}/order-batches`;
    return {
      signIn: { ...json, url: `${url}/portal/api/session`, headers: { 'Sec-Fetch-Site': 'same-origin' } },
      upload: {
        ...byte,
        url: `${url}/v1/incidents/${foreign.tenant}/attachments`,
        contentType: 'multipart/form-data; boundary=x',
        headers: { 'X-API-Key': keys.foreign },
      },
      unknownToken: { ...json, url: batches, headers: {} },
      batch: { ...json, url: batches, headers: { Authorization: `Bearer ${this.#tokens.attacker}` } },
    };
  }

  /** What honest clients send meanwhile, with an incident and a user of their own, and how they end. */
  async honest(attacked: Attacked): Promise<{ requests: readonly HonestRequest[]; close(): void }> {
    const { testData } = this.testData;
    const clients = {
      api: apiClient(attacked.url, { key: testData.keys.all }),
      portal: apiClient(attacked.url, { api: 'portal' }),
      platform: apiClient(attacked.managementUrl, { api: 'platform', key: this.#tokens.honest }),
    };
    const email = await this.#signedUp(clients.portal);
    const requests = [
      ...(await uploads(clients.api, await this.testData.reported())),
      {
        name: 'a sign-in',
        status: 200,
        send: async () => (await clients.portal.post('/session', { email, password })).status,
      },
      ...batches(clients.platform, testData.organization),
    ];
    return { requests, close: () => Object.values(clients).forEach(client => client.close()) };
  }

  /** Makes a user who has set the password, and answers the email address. */
  async #signedUp(portal: ApiClient): Promise<string> {
    const user = await invitedUser(this.testData.sql, this.testData.testData.organization);
    const { status } = await portal.post('/invitation/acceptance', { secret: secretOf(user), password });
    if (status !== 200) throw new Error(`the invitation was answered ${status}`);
    return user.email;
  }

  close(): Promise<void> {
    return this.testData.close();
  }
}

const sizes = [
  ['100 kB', 100_000],
  ['5 MiB', bodyLimits.large],
] as const;

async function uploads(client: ApiClient, incident: Incident): Promise<HonestRequest[]> {
  const form = async (bytes: number) => {
    const file = Buffer.alloc(bytes - 300);
    file.write('%PDF-1.7');
    return multipart({ bytes: file, fileName: 'a.pdf' });
  };
  return Promise.all(
    sizes.map(async ([name, bytes]) => {
      const { raw, contentType } = await form(bytes);
      const send = async () => {
        const headers = { 'content-type': contentType };
        const path = `/incidents/${incident.id}/attachments`;
        return (await client.request('POST', path, { raw, headers })).status;
      };
      return { name: `an upload of ${name}`, status: 201, send };
    }),
  );
}

/** Batches with a line for a person who does not exist, and white space behind it. */
function batches(client: ApiClient, organization: string): HonestRequest[] {
  const text = JSON.stringify({ items: [{ employeeId: '65f0c0ffee0123456789abcd' }] });
  return sizes.map(([name, bytes]) => {
    const send = async () => {
      const headers = { 'content-type': 'application/json' };
      const path = `/organizations/${organization}/activation-batches`;
      return (await client.request('POST', path, { raw: text.padEnd(bytes), headers })).status;
    };
    return { name: `a batch of ${name}`, status: 200, send };
  });
}
