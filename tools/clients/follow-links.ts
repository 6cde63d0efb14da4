import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ApiName } from '@kontor/contract';
import { answerTable } from '../fuzz/answer-table.ts';
import { install } from '../fuzz/install.ts';
import { runSchemathesis } from '../fuzz/schemathesis.ts';
import { startFuzzedService } from '../fuzz/service.ts';
import { StepFailed } from './sandbox.ts';

/** Each begins other chains of requests; Hypothesis ends one by itself after a hundred requests or so. */
const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

/** What links must have led to at least once, or else they lead nowhere. */
const targets = {
  public: ['getDivision', 'getEmployee', 'getIncident', 'getOrder', 'getPayrollExportDocument'],
  platform: ['getOrganization', 'getTenant', 'getApiKey'],
  portal: ['getPortalTenant', 'getPortalApiKey'],
} as const satisfies Record<ApiName, readonly string[]>;

/**
 * Lets Schemathesis go from answer to answer by the links of each contract, on a service of its own with something of every resource type.
 * What it printed, and how often each operation answered with what, is in `log` in the folder.
 * @throws StepFailed when it finds something, or when links led to no success.
 */
export async function followLinks(folder: string): Promise<void> {
  const obstacle = install();
  if (obstacle !== null) throw new StepFailed(obstacle);
  const service = await startFuzzedService();
  let printed = '';
  let findings = 0;
  for (const api of Object.values(service.apis))
    for (const seed of seeds) {
      const options = ['--phases', 'stateful', '--mode', 'positive', '--seed', String(seed)];
      const run = await runSchemathesis(api, { name: 'links', arguments: options });
      printed += run.output;
      findings += Math.max(run.findings, run.status);
    }
  const answers = service.answers();
  await service.stop();
  const log = path.join(folder, 'log');
  await writeFile(log, `${printed}\n${answerTable(answers)}\n`);
  if (findings > 0) throw new StepFailed(`${findings} findings, see ${log}`);
  const reached = new Set(answers.filter(answer => answer.status === 200).map(answer => answer.operation));
  const missed = Object.values(targets)
    .flat()
    .filter(target => !reached.has(target));
  if (missed.length > 0) throw new StepFailed(`links led to no ${missed.join(', ')}, see ${log}`);
}
