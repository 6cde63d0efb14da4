import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../../config.ts';
import type { Database, Pool } from '../../db/connect.ts';
import type { GrantRow } from '../../features/keys/rules.ts';
import { organizationExists } from '../../features/organizations/store.ts';
import type { RunningService } from '../../app/service.ts';
import { writeWhole } from '../../lib/draft-file.ts';
import { configuredPepper, createKey } from '../access/key.ts';
import { type CommandResult, defineCommand } from '../program/command.ts';
import { readableLogger } from '../service/logger.ts';
import { runService, runSettings } from '../service/serve.ts';
import { reportIncidents } from './incidents.ts';
import { createConnectedSystems } from './keys.ts';
import { createOrders, type DemoOrder } from './orders.ts';
import { createDemoOrganization } from './organization.ts';
import { createPayrollDocuments } from './payroll.ts';
import { createDemoUsers, type DemoUser } from './users.ts';

/** Seconds for requests in flight at Ctrl-C: short, because nothing depends on a demo. */
const graceSeconds = 1;

/** Enough to read all of a large list. */
const demoQuota = { requests: 6000, seconds: 60 };

/** The division whose subtree the second key sees. */
const divisionOfKey = 'Technik';

/** The facts that the demo prints at every start, kept in the data folder. */
interface Demo {
  readonly organizationId: string;
  /** Sees the whole organization. */
  readonly key: string;
  /** Sees one division and what is below it. */
  readonly divisionKey: string;
  /** An order under review. */
  readonly orderId: string;
  /** A payroll export document with a file. */
  readonly documentId: string;
  readonly users: readonly DemoUser[];
  /** Orders of incidents that are reported once the service answers; empty afterwards. */
  readonly unreported: readonly DemoOrder[];
}

export const demo = defineCommand({
  summary: 'Run the service with demo data on an embedded PostgreSQL',
  example: 'demo',
  settings: [
    'port',
    'host',
    'publicUrl',
    'trustedProxies',
    'forwardedHeader',
    'managementPort',
    'managementHost',
    'dataDirectory',
    'logLevel',
  ],
  stopsItself: true,
  async run(context) {
    const { config, stderr } = context;
    let data: Demo | undefined;
    let db: Pool | undefined;
    const log = readableLogger(config.logLevel, stderr);
    await runService(context, log, {
      // The other settings keep their defaults.
      config: { ...readConfig(runSettings, {}, {}), ...config },
      drainSeconds: 0,
      graceSeconds,
      async prepare(database) {
        db = database.writes;
        data = await openDemo(database, config.dataDirectory);
      },
      async announce({ baseUrl, referenceUrl, managementUrl }) {
        const { key, organizationId, unreported } = data!;
        if (unreported.length > 0) {
          // A reader looks for their own requests in the log.
          log.logger.level = 'warn';
          await reportIncidents({ baseUrl, key, db: db!, organizationId }, unreported);
          log.logger.level = config.logLevel;
          await keepDemo(config.dataDirectory, { ...data!, unreported: [] });
        }
        context.print(announcement({ baseUrl, referenceUrl, managementUrl }, data!));
      },
    });
    return null;
  },
});

/** Returns the demo of the data folder, which is created when it is not there yet. */
async function openDemo(database: Database, dataDirectory: string): Promise<Demo> {
  const { writes: db } = database;
  const existing = await readDemo(dataDirectory);
  if (existing && (await organizationExists(db, existing.organizationId))) return existing;
  const pepper = await configuredPepper(db, { pepper: null, previousPepper: null, dataDirectory });
  const organization = await createDemoOrganization(db);
  const { organizationId, tenants } = organization;
  const orders = await createOrders(db, organization, dataDirectory);
  const documentId = await createPayrollDocuments(database, organization, orders);
  const createDemoKey = async (name: string, grants: 'all' | GrantRow[]) =>
    (await createKey(db, pepper, { organizationId, name, quota: demoQuota, grants })).key;
  const [{ id: tenantId, divisions }] = tenants as [(typeof tenants)[number]];
  await createConnectedSystems(db, pepper, { organizationId, tenantIds: tenants.map(({ id }) => id) });
  const divisionId = divisions.find(({ name }) => name === divisionOfKey)!.id;
  const demo: Demo = {
    organizationId,
    key: await createDemoKey('Demo', 'all'),
    divisionKey: await createDemoKey(`Demo ${divisionOfKey}`, [{ tenantId, divisionId }]),
    orderId: orders.find(({ status }) => status === 'under_review')!.id,
    documentId,
    users: await createDemoUsers(db, { organizationId, pepper }),
    unreported: orders.filter(({ status }) => status === 'active'),
  };
  await keepDemo(dataDirectory, demo);
  return demo;
}

const fileOf = (dataDirectory: string) => join(dataDirectory, 'demo.json');

const keepDemo = (dataDirectory: string, demo: Demo) =>
  writeWhole(fileOf(dataDirectory), JSON.stringify(demo));

/** Reads the demo that was kept; null where there is none. */
async function readDemo(dataDirectory: string): Promise<Demo | null> {
  try {
    return JSON.parse(await readFile(fileOf(dataDirectory), 'utf8')) as Demo;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Renders a request for each resource type; they work in a shell as they stand. */
function requestsOf(baseUrl: string, demo: Demo): { resourceType: string; shows: string; curl: string }[] {
  const get = (path: string, key: string, ...parameters: string[]) =>
    [
      `curl -sG ${baseUrl}${path} -H 'X-API-Key: ${key}'`,
      ...parameters.map(text => `--data-urlencode "${text}"`),
    ].join(' ');
  return [
    {
      resourceType: 'Employees',
      shows: 'a filter',
      curl: get(
        '/employees',
        demo.key,
        "filter=lastName STARTS_WITH 'sch' AND blocked = false",
        'pageSize=3',
      ),
    },
    {
      resourceType: 'Divisions',
      shows: `the scope of the second key, ${divisionOfKey} and all below it`,
      curl: get('/divisions', demo.divisionKey, 'sort=name'),
    },
    {
      resourceType: 'Orders',
      shows: 'a decision, as a dry run',
      curl: `curl -s '${baseUrl}/orders/${demo.orderId}/decision?dryRun=true' -H 'X-API-Key: ${demo.key}' -H 'Content-Type: application/json' -d '{"decision":"approved"}'`,
    },
    {
      resourceType: 'Incidents',
      shows: 'reports that are complete, the latest first',
      curl: get('/incidents', demo.key, "filter=status = 'completed'", 'sort=-updatedAt'),
    },
    {
      resourceType: 'Payroll',
      shows: 'the bytes of a file',
      curl: get(`/payroll-export-documents/${demo.documentId}/download`, demo.key),
    },
  ];
}

function announcement(
  {
    baseUrl,
    referenceUrl,
    managementUrl,
  }: Pick<RunningService, 'baseUrl' | 'referenceUrl' | 'managementUrl'>,
  demo: Demo,
): CommandResult {
  const requests = requestsOf(baseUrl, demo);
  const portalUrl = `${baseUrl.slice(0, -'/v1'.length)}/portal`;
  const width = Math.max(...demo.users.map(({ email }) => email.length));
  const text = [
    '',
    'Kontor is running with a demo organization: 3 companies, 16 divisions, 1,000 employees, 72 orders in every state,',
    'incidents in every state with evidence, payroll files in every format, and 90 days of usage of four systems.',
    '',
    `  Base URL       ${baseUrl}`,
    `  API key        ${demo.key}  (the whole organization)`,
    `  Second key     ${demo.divisionKey}  (${divisionOfKey} and below)`,
    `  API reference  ${referenceUrl}`,
    `  Portal         ${portalUrl}`,
    '',
    'Sign in to the portal as:',
    ...demo.users.map(({ email, password, states }) => `  ${email.padEnd(width)}  ${password}  (${states})`),
    '',
    'Try it:',
    ...requests.flatMap(({ resourceType, shows, curl }) => [
      '',
      `  # ${resourceType}: ${shows}`,
      `  ${curl}`,
    ]),
    '',
    'Ctrl-C stops it; the data stays.',
    '',
  ];
  const { key, divisionKey, users } = demo;
  return {
    json: { baseUrl, key, divisionKey, referenceUrl, managementUrl, portalUrl, users, requests },
    text: text.join('\n'),
  };
}
