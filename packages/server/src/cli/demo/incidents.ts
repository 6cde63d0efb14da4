import type { Incident, IncidentCreate } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { sql } from '../../db/sql.ts';
import { incidentRow } from '../../features/incidents/mapping.ts';
import { updateIncident } from '../../features/incidents/store.ts';
import { inTurn, operator } from '../../write/writes.ts';
import { day, firstOfMonth } from './calendar.ts';
import { pdf, png } from './files.ts';
import type { DemoOrder } from './orders.ts';

interface Report extends Omit<IncidentCreate, 'employeeId' | 'orderId'> {
  readonly evidence?: readonly [name: string, bytes: Buffer][];
  /** What the platform behind the API makes of it later; absent: nothing yet. */
  readonly outcome?: Incident['status'];
}

/** What is reported, each for an order that runs; those that lack something stay drafts. */
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
  {
    type: 'accident',
    occurredOn: day(-15),
    description: 'Zusammenstoß mit einem Auto, Rahmen gerissen',
    requestedSolution: 'repair',
    evidence: [
      ['Unfallbericht.pdf', pdf(['Unfallbericht', 'Rahmen gerissen'])],
      ['Rahmen.png', png([90, 90, 90])],
    ],
    outcome: 'in_progress',
  },
  {
    type: 'damage',
    occurredOn: day(-70),
    description: 'Display ohne Anzeige',
    requestedSolution: 'repair',
    evidence: [['Display.png', png([20, 120, 60])]],
    outcome: 'resolved',
  },
  {
    type: 'theft',
    occurredOn: day(-90),
    description: 'Akku aus unverschlossenem Keller gestohlen',
    policeReference: 'ST/0711/2026',
    requestedSolution: 'replacement',
    evidence: [['Anzeige.pdf', pdf(['Anzeige', 'Aktenzeichen ST/0711/2026'])]],
    outcome: 'rejected',
  },
  { type: 'employer_change', occurredOn: day(-20), outcome: 'cancelled' },
];

/** Where the demo reports to. */
interface Service {
  readonly baseUrl: string;
  readonly key: string;
  readonly db: Pool;
  readonly organizationId: string;
}

/**
 * Reports incidents with their evidence through the API, as the systems of a customer do, and then lets some of them go on as only the
 * platform behind it can.
 */
export async function reportIncidents(
  { baseUrl, key, db, organizationId }: Service,
  orders: readonly DemoOrder[],
): Promise<void> {
  const active = orders.filter(({ status }) => status === 'active');
  for (const [index, { evidence = [], outcome, ...report }] of reports.entries()) {
    const { id: orderId, employee } = active[index % active.length]!;
    const body = JSON.stringify({ employeeId: employee.id, orderId, ...report });
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const { id } = await post(`${baseUrl}/incidents`, { headers, body });
    for (const [name, bytes] of evidence) {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(bytes)]), name);
      await post(`${baseUrl}/incidents/${id}/attachments`, { headers: { 'X-API-Key': key }, body: form });
    }
    if (outcome) await goOn(db, organizationId, id, outcome);
  }
}

/** Brings an incident into a state that the API cannot bring it into. */
function goOn(db: Pool, organizationId: string, id: string, status: Incident['status']): Promise<void> {
  return inTurn(db, organizationId, operator, async (turn, session) => {
    const [found] = await session.rows<{ doc: string }>(
      sql`SELECT doc FROM incident WHERE organization_id = ${organizationId} AND id = ${id}`,
    );
    const incident = JSON.parse(found!.doc) as Incident;
    const row = incidentRow({ ...incident, status, editable: false, updatedAt: turn.instant });
    updateIncident(turn, { row, action: 'incident.update', fields: ['status', 'editable'] });
  });
}

async function post(url: string, request: RequestInit): Promise<{ id: string }> {
  const answer = await fetch(url, { method: 'POST', ...request });
  if (answer.status !== 201) throw new Error(`the demo could not report an incident: ${await answer.text()}`);
  return (await answer.json()) as { id: string };
}
