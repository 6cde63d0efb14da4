import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../database/connect.ts';
import { openPepper } from '../../features/keys/pepper.ts';
import { organizationExists } from '../../features/organizations/store.ts';
import type { CommandDefinition, CommandResult } from '../command.ts';
import { createDemoOrganization } from './organization.ts';
import { createKey } from '../keys.ts';
import { readableLogger } from '../logger.ts';
import { runService } from '../serve.ts';

/** Seconds for requests under way at Ctrl-C; nobody depends on a demo. */
const graceSeconds = 1;

/** Requests of the demo key: enough to try out a whole walk. */
const demoQuota = { requests: 6000, seconds: 60 };

/** What the demo prints at every start, kept in the data folder. */
interface Demo {
  readonly organizationId: string;
  readonly key: string;
}

export const demo: CommandDefinition = {
  name: 'demo',
  summary: 'Run the service on an embedded PostgreSQL with a demo organization, for trying it out',
  settings: ['port', 'host', 'managementPort', 'managementHost', 'dataDirectory', 'logLevel'],
  endsItself: true,
  async run(context) {
    const { config, stderr } = context;
    let data: Demo | undefined;
    await runService(context, readableLogger(config.logLevel, stderr), {
      config,
      drainSeconds: 0,
      graceSeconds,
      async prepare(database) {
        data = await openDemo(database, config.dataDirectory);
      },
      async announce({ baseUrl, referenceUrl }) {
        context.print(announcement(baseUrl, referenceUrl, data!.key));
      },
    });
    return null;
  },
};

/** The demo of the data folder; made when it is not there yet. */
async function openDemo({ writes: db }: Database, dataDirectory: string): Promise<Demo> {
  const file = join(dataDirectory, 'demo.json');
  const existing = await readDemo(file);
  if (existing && (await organizationExists(db, existing.organizationId))) return existing;
  const pepper = await openPepper(db, { secret: null, dataDirectory });
  const organizationId = await createDemoOrganization(db);
  const { key } = await createKey(db, pepper, {
    organizationId,
    name: 'Demo',
    quota: demoQuota,
    grants: 'all',
  });
  const made = { organizationId, key };
  // The key is a secret, and a half-written file would be in the way of the next start.
  await writeFile(`${file}.new`, JSON.stringify(made), { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  return made;
}

async function readDemo(file: string): Promise<Demo | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Demo;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function announcement(baseUrl: string, referenceUrl: string, key: string): CommandResult {
  const filter = "lastName STARTS_WITH 'sch' AND blocked = false";
  const curl = `curl -G ${baseUrl}/employees -H 'X-API-Key: ${key}' -d pageSize=3 --data-urlencode "filter=${filter}"`;
  const text = [
    '',
    'Kontor is running with a demo organization: 2 tenants, 12 divisions, 1,000 employees.',
    '',
    `  Base URL       ${baseUrl}`,
    `  API key        ${key}`,
    `  API reference  ${referenceUrl}`,
    '',
    'Try it:',
    '',
    `  ${curl}`,
    '',
    'Ctrl-C stops it; the data stays.',
    '',
  ];
  return { json: { baseUrl, key, referenceUrl, curl }, text: text.join('\n') };
}
