import type { IncidentCreate } from '@kontor/contract';
import { day, firstOfMonth } from './calendar.ts';
import { pdf, png } from './files.ts';
import type { DemoOrder } from './orders.ts';

type Report = Omit<IncidentCreate, 'employeeId'> & { evidence?: readonly [name: string, bytes: Buffer][] };

/** What is reported, one of each for an order that runs; those that lack something stay drafts. */
const reports: readonly Report[] = [
  {
    type: 'theft',
    occurredOn: day(-6),
    description: 'Rad vor dem Bahnhof gestohlen, Schloss aufgebrochen',
    policeReference: 'ST/0815/2026',
    requestedSolution: 'replacement',
    evidence: [
      ['Anzeige.pdf', pdf(['Anzeige', 'Aktenzeichen ST/0815/2026'])],
      ['Schloss.png', png([160, 40, 40])],
    ],
  },
  {
    type: 'damage',
    occurredOn: day(-12),
    description: 'Hinterrad nach Sturz verbogen',
    requestedSolution: 'repair',
    evidence: [['Hinterrad.png', png([40, 80, 160])]],
  },
  {
    type: 'parental_leave',
    occurredOn: day(-30),
    effectiveFrom: firstOfMonth(1),
    effectiveTo: firstOfMonth(7),
    description: 'Elternzeit, Rad wird behalten',
    requestedSolution: 'rate_protection',
  },
  { type: 'termination', occurredOn: day(-3), requestedSolution: 'early_purchase' },
  { type: 'loss', occurredOn: day(-1), description: 'Schlüssel und Rad nicht auffindbar' },
  { type: 'long_term_illness', occurredOn: day(-50), description: 'Seit sechs Wochen krank' },
];

/** Reports incidents with their evidence through the API, as the systems of a customer do. */
export async function reportIncidents(
  baseUrl: string,
  key: string,
  orders: readonly DemoOrder[],
): Promise<void> {
  const active = orders.filter(({ status }) => status === 'active');
  for (const [index, { evidence = [], ...report }] of reports.entries()) {
    const { id: orderId, employee } = active[index % active.length]!;
    const body = JSON.stringify({ employeeId: employee.id, orderId, ...report });
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const { id } = await post(`${baseUrl}/incidents`, { headers, body });
    for (const [name, bytes] of evidence) {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(bytes)]), name);
      await post(`${baseUrl}/incidents/${id}/attachments`, { headers: { 'X-API-Key': key }, body: form });
    }
  }
}

async function post(url: string, request: RequestInit): Promise<{ id: string }> {
  const answer = await fetch(url, { method: 'POST', ...request });
  if (answer.status !== 201) throw new Error(`the demo could not report an incident: ${await answer.text()}`);
  return (await answer.json()) as { id: string };
}
