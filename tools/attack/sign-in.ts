import { loginLimits } from '../../packages/server/src/features/users/sessions/login-throttle.ts';
import { newKey } from '../../packages/server/src/auth/api-keys.ts';
import { trustedProxies } from '../../packages/server/src/config.ts';
import { deviceCookieOf, outcome, password } from '../../packages/server/test/portal/support.ts';
import {
  type Answer,
  type ApiClient,
  apiClient,
} from '../../packages/server/test/support/contract/client.ts';
import { testDatabase } from '../../packages/server/test/support/database/database.ts';
import { startService } from '../../packages/server/test/support/service/service.ts';
import type { Sql } from '../../packages/server/test/support/database/sql.ts';
import { invitedUser, secretOf } from '../../packages/server/test/support/data/users.ts';
import { insertTestData, testKey, type TestData } from '../../packages/server/test/support/data/test-data.ts';
import type { AttackResult } from './attack.ts';

interface Stage extends AttackResult {
  readonly sql: Sql;
  readonly testData: TestData;
  readonly portal: ApiClient;
  readonly api: ApiClient;
  /** Milliseconds that honest requests took, by their name. */
  readonly timings: Map<string, number[]>;
}

const { account, network, device } = loginLimits;
const wrong = 'a wrong password';
const denied = '401 SIGN_IN_FAILED';

/** Milliseconds that a flood goes on. */
const floodTime = 5_000;

let addresses = 0;
/** An address of a network of its own. */
function freshAddress(): string {
  const n = addresses++;
  return `10.${n >> 8}.${n & 255}.7`;
}

let strangers = 0;
const unknownEmail = () => `stranger${++strangers}@example.com`;

/**
 * Attacks the sign-in of a service of its own on this machine, for under a minute: guesses from 200 networks, floods of guesses and of wrong keys from
 * one address, guesses at the same time, and a stolen device cookie.
 */
export async function attackSignIn(log: (line: string) => void): Promise<AttackResult> {
  await using started = new AsyncDisposableStack();
  const testing = await testDatabase();
  started.defer(() => testing.drop());
  const { sql } = testing.database;
  const testData = await insertTestData(sql);
  const service = await startService(sql, { trustedProxies: trustedProxies('127.0.0.1') });
  started.defer(() => service.stop());
  const portal = apiClient(service.url, { api: 'portal' });
  const api = apiClient(service.url);
  started.defer(() => [portal, api].forEach(client => client.close()));
  const stage: Stage = { sql, testData, portal, api, timings: new Map(), findings: [], figures: {} };
  for (const [name, attack] of Object.entries(attacks)) {
    const before = stage.findings.length;
    await attack(stage);
    log(`${name}: ${stage.findings.slice(before).join('; ') || 'held'}`);
  }
  return { findings: stage.findings, figures: stage.figures };
}

const attacks: Record<string, (stage: Stage) => Promise<void>> = {
  '200 networks with five guesses each': guessFromManyNetworks,
  '100 guesses at the same time': guessAtTheSameTime,
  'a stolen device cookie': replayDeviceCookie,
  'a flood of guesses from one address': floodGuesses,
  'a flood of wrong keys from one address': floodKeys,
};

async function guessFromManyNetworks(stage: Stage): Promise<void> {
  const { findings, figures } = stage;
  const [victim, other] = [await createUser(stage), await createUser(stage)];
  const outcomes = new Map<string, number>();
  const left = Array.from({ length: 200 }, freshAddress);
  await times(20, async () => {
    for (let address = left.pop(); address; address = left.pop())
      for (let n = 0; n < 5; n++) {
        const answered = outcome(await signIn(stage, victim.email, wrong, { address }));
        outcomes.set(answered, (outcomes.get(answered) ?? 0) + 1);
      }
  });
  const checked = outcomes.get(denied) ?? 0;
  figures['guesses checked of 1000 from 200 networks'] = checked;
  if (checked > account.failures) findings.push(`${checked} guesses were checked`);
  const expected: [string, Answer<any>, string][] = [
    ['the known browser', await signIn(stage, victim.email, password, { cookie: victim.cookie }), '200'],
    ['a new browser', await signIn(stage, victim.email, password), '429 RATE_LIMIT_EXCEEDED'],
    ['another user', await signIn(stage, other.email, password), '200'],
  ];
  for (const [who, answer, wanted] of expected)
    if (outcome(answer) !== wanted) findings.push(`${who} got ${outcome(answer)}`);
}

async function guessAtTheSameTime(stage: Stage): Promise<void> {
  const { email } = await createUser(stage);
  const address = freshAddress();
  const checked = await countChecked(100, () => signIn(stage, email, wrong, { address }));
  stage.figures['guesses checked of 100 at the same time'] = checked;
  if (checked > network.failures) stage.findings.push(`${checked} guesses at the same time were checked`);
}

async function replayDeviceCookie(stage: Stage): Promise<void> {
  const { email, cookie } = await createUser(stage);
  const used = freshAddress();
  for (let n = 0; n < network.failures; n++) await signIn(stage, email, wrong, { address: used });
  const checked = await countChecked(60, () => signIn(stage, email, wrong, { address: used, cookie }));
  stage.figures['guesses checked of 60 with a stolen device cookie'] = checked;
  if (checked > device.failures) stage.findings.push(`a stolen device cookie allowed ${checked} guesses`);
}

/** Honest users sign in while 15, then 150 guesses are made at a time, each of another email. */
async function floodGuesses(stage: Stage): Promise<void> {
  const [victim, honest] = [await createUser(stage), await createUser(stage)];
  for (const width of [15, 150]) {
    const address = freshAddress();
    const guess = (n: number) => signIn(stage, n % 3 ? unknownEmail() : victim.email, wrong, { address });
    const name = `beside ${width} guesses at a time`;
    await whileFlooding(width, guess, async goesOn => {
      while (goesOn()) {
        const { email, cookie } = honest;
        const fresh = () => signIn(stage, email, password, { address });
        await measure(stage, `${name}, same address`, fresh, width > 15);
        const known = { address, cookie };
        await measure(stage, `${name}, known browser`, () => signIn(stage, email, password, known));
        await measure(stage, `${name}, other network`, () => signIn(stage, email, password));
      }
    });
  }
}

async function floodKeys(stage: Stage): Promise<void> {
  const { sql, testData, api } = stage;
  const headers = { 'X-Forwarded-For': freshAddress() };
  const tryKey = () => api.get('/employees', { key: newKey().text, headers });
  const honest = await createUser(stage);
  await whileFlooding(150, tryKey, async goesOn => {
    while (goesOn()) {
      const key = await testKey(sql, testData.organization, 'all');
      const name = 'beside 150 wrong keys at a time';
      await measure(stage, `${name}, a valid key`, () => api.get('/divisions', { key, headers }));
      const from = { address: headers['X-Forwarded-For'] };
      await measure(stage, `${name}, a sign-in`, () => signIn(stage, honest.email, password, from));
    }
  });
}

/** Has a user made who has signed in before. */
async function createUser({ sql, testData, portal }: Stage): Promise<{ email: string; cookie: string }> {
  const invited = await invitedUser(sql, testData.organization);
  const body = { secret: secretOf(invited), password };
  return {
    email: invited.email,
    cookie: deviceCookieOf(await portal.post('/invitation/acceptance', body)),
  };
}

function signIn(
  { portal }: Stage,
  email: string,
  word: string,
  { address = freshAddress(), cookie }: { address?: string; cookie?: string } = {},
): Promise<Answer<any>> {
  const headers = { 'X-Forwarded-For': address, ...(cookie && { cookie }) };
  return portal.post('/session', { email, password: word }, { headers });
}

function times<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => work(n)));
}

/** How many of so many attempts at the same time had their passwords checked. */
async function countChecked(count: number, attempt: () => Promise<Answer<any>>): Promise<number> {
  const answers = await times(count, attempt);
  return answers.filter(answer => outcome(answer) === denied).length;
}

/** Runs work beside a flood of a bounded time. */
async function whileFlooding(
  width: number,
  flood: (n: number) => Promise<unknown>,
  work: (goesOn: () => boolean) => Promise<void>,
): Promise<void> {
  const end = performance.now() + floodTime;
  const goesOn = () => performance.now() < end;
  const flooding = times(width, async n => {
    while (goesOn()) await flood(n);
  });
  await work(goesOn);
  await flooding;
}

/** Records how long an honest request took. It must succeed, unless so much of its own network waits that 503 is right. */
async function measure(
  stage: Stage,
  name: string,
  send: () => Promise<Answer<any>>,
  mayBeBusy = false,
): Promise<void> {
  const began = performance.now();
  const answer = await send();
  const taken = [...(stage.timings.get(name) ?? []), performance.now() - began];
  stage.timings.set(name, taken);
  const sorted = taken.toSorted((a, b) => a - b).map(Math.round);
  const median = sorted[sorted.length >> 1];
  stage.figures[name] = `median ${median} ms, longest ${sorted.at(-1)} ms of ${sorted.length}`;
  if (answer.status === 200) return;
  if (answer.status === 503 && mayBeBusy) stage.figures[name] += `, the last one ${outcome(answer)}`;
  else stage.findings.push(`${name}: ${outcome(answer)}`);
}
