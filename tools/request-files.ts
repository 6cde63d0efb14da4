// node tools/request-files.ts: prints the files of the server that a `GET /v1/employees` passes, by the precise coverage of V8.
import { Session } from 'node:inspector/promises';
import { testDatabase } from '../packages/server/test/support/database/database.ts';
import { startService } from '../packages/server/test/support/service/service.ts';
import { insertTestData } from '../packages/server/test/support/data/test-data.ts';

const sources = new URL('../packages/server/src/', import.meta.url).href;

/** The files whose functions run in every request for the first page of the employees. */
export async function findFilesOfRequest(): Promise<string[]> {
  const testing = await testDatabase();
  const { keys } = await insertTestData(testing.database.sql);
  const service = await startService(testing.database.sql);
  const session = new Session();
  session.connect();
  const request = async () => {
    const answer = await fetch(`${service.url}/v1/employees`, { headers: { 'X-API-Key': keys.all } });
    await answer.text();
    if (answer.status !== 200) throw new Error(`GET /v1/employees was answered with ${answer.status}`);
    // Sets all counts back to 0.
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const urls = result.filter(({ functions }) => functions.some(hasRun)).map(({ url }) => url);
    return new Set(urls.filter(url => url.startsWith(sources)));
  };
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    // Until then each request looks its key up in the database.
    while (!(await isKeyCached(service.managementUrl))) await request();
    const [first, ...others] = [await request(), await request(), await request(), await request()];
    // What did not run in each request ran in the background.
    const files = [...first].filter(url => others.every(other => other.has(url)));
    return files.map(url => url.slice(sources.length)).toSorted();
  } finally {
    session.disconnect();
    await service.stop();
    await testing.drop();
  }
}

function hasRun({ ranges }: { ranges: readonly { count: number }[] }): boolean {
  return ranges.some(({ count }) => count > 0);
}

/** Whether keys are used from memory: changes of them are heard of. */
async function isKeyCached(managementUrl: string): Promise<boolean> {
  const metrics = await (await fetch(`${managementUrl}/metrics`)).text();
  return metrics.includes('\nkontor_key_listener_trusted 1\n');
}

if (import.meta.main) console.log((await findFilesOfRequest()).join('\n'));
