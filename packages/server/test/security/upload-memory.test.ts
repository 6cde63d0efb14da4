import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { bodyLimits } from '@kontor/contract';
import { type ApiClient, apiClient, multipart } from '../support/contract/client.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service/kontor.ts';
import { incidentTestData, type IncidentTestData } from '../features/incidents/support.ts';

let context: IncidentTestData;
let service: ServiceProcess;
let client: ApiClient;

before(async () => {
  context = await incidentTestData();
  service = await startServiceProcess({ variables: { DATABASE_URL: context.database.url } });
  client = apiClient(service.url, { key: context.testData.keys.all });
});
after(async () => {
  client.close();
  await service.end('SIGTERM');
  await context.close();
});

/** The most memory that a process has ever used, in bytes (Linux). */
function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
}

const uploads = 64;
/** At most 20 files are attached to an incident. */
const perIncident = 16;

test(
  '64 uploads of 5 MiB at once stay under 400 MB of memory, and all are stored',
  { skip: process.platform !== 'linux' && 'only Linux tells the peak' },
  async context_ => {
    const incidents = await Promise.all(
      Array.from({ length: uploads / perIncident }, () => context.reported()),
    );
    // The parts around the file take less than 300 bytes.
    const bytes = Buffer.alloc(bodyLimits.large - 300);
    bytes.write('%PDF-1.7');
    const { raw, contentType } = await multipart({ bytes, fileName: 'a.pdf' });
    const upload = (number: number) =>
      client.request('POST', `/incidents/${incidents[number % incidents.length]!.id}/attachments`, {
        raw,
        headers: { 'content-type': contentType },
      });
    const answers = await Promise.all(Array.from({ length: uploads }, (_, number) => upload(number)));
    assert.deepEqual(new Set(answers.map(answer => answer.status)), new Set([201]));
    const peak = peakOf(service.pid);
    context_.diagnostic(`peak of the service: ${Math.round(peak / 1e6)} MB`);
    assert.ok(peak < 400e6, `${peak} bytes`);
    const [stored] = await context.sql<{ bytes: string; files: number }[]>`
      SELECT sum(length(bytes)) AS bytes, count(DISTINCT file_id)::int AS files FROM file_slice`;
    assert.deepEqual({ ...stored }, { bytes: String(uploads * bytes.length), files: uploads });
  },
);
