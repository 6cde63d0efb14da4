import type { Incident, IncidentCreate } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { sql } from '../../db/sql.ts';
import type { Destination } from '../../features/incidents/rules.ts';
import { moveIncident } from '../../features/incidents/store.ts';
import { runAtClock } from '../../write/run-at-clock.ts';
import { operator } from '../../write/writes.ts';
import { day, firstOfMonth } from './calendar.ts';
import { pdf, png } from './files.ts';
import type { DemoOrder } from './orders.ts';

interface Report extends Omit<IncidentCreate, 'employeeId' | 'orderId'> {
  readonly evidence?: readonly [name: string, bytes: Buffer][];
  /** The states that the platform moves it into later. */
  readonly moves?: readonly Destination[];
}

/** Reports, each for an active order; incomplete ones stay drafts. */
const reports: readonly Report[] = [
  {
    type: 'theft',
    occurredOn: day(-6),
    description: 'Rad vor dem Bahnhof gestohlen, Schloss aufgebrochen',
    policeReference: 'ST/0815/2026',
    requestedSolution: 'replacement',
    evidence: [
      ['Anzeige.pdf', pdf(['Anzeige', 'Aktenzeichen ST/0815/2026'])],
      ['Schloss.png', png],
    ],
  },
  {
    type: 'damage',
    occurredOn: day(-12),
    description: 'Hinterrad nach Sturz verbogen',
    requestedSolution: 'repair',
    evidence: [['Hinterrad.png', png]],
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
      ['Rahmen.png', png],
    ],
    moves: ['in_progress'],
  },
  {
    type: 'damage',
    occurredOn: day(-70),
    description: 'Display ohne Anzeige',
    requestedSolution: 'repair',
    evidence: [['Display.png', png]],
    moves: ['in_progress', 'resolved'],
  },
  {
    type: 'theft',
    occurredOn: day(-90),
    description: 'Akku aus unverschlossenem Keller gestohlen',
    policeReference: 'ST/0711/2026',
    requestedSolution: 'replacement',
    evidence: [['Anzeige.pdf', pdf(['Anzeige', 'Aktenzeichen ST/0711/2026'])]],
    moves: ['in_progress', 'rejected'],
  },
  { type: 'employer_change', occurredOn: day(-20), moves: ['cancelled'] },
];

/** The service that the demo reports to. */
interface Service {
  readonly baseUrl: string;
  readonly key: string;
  readonly db: Pool;
  readonly organizationId: string;
}

/** Reports incidents with their evidence through the API, as the systems of a customer do, and moves them as the platform does. */
export async function reportIncidents(
  { baseUrl, key, db, organizationId }: Service,
  orders: readonly DemoOrder[],
): Promise<void> {
  const post = async (path: string, body: FormData | string, contentType?: string): Promise<Incident> => {
    const headers = { 'X-API-Key': key, ...(contentType && { 'Content-Type': contentType }) };
    const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body });
    if (answer.status !== 201)
      throw new Error(`the demo could not report an incident: ${await answer.text()}`);
    return (await answer.json()) as Incident;
  };
  for (const [index, { evidence = [], moves = [], ...report }] of reports.entries()) {
    const { id: orderId, employee } = orders[index % orders.length]!;
    const body = JSON.stringify({ employeeId: employee.id, orderId, ...report });
    const { id } = await post('/incidents', body, 'application/json');
    for (const [name, bytes] of evidence) {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(bytes)]), name);
      await post(`/incidents/${id}/attachments`, form);
    }
    for (const to of moves)
      await runAtClock(db, organizationId, operator, async (write, session) => {
        const [row] = await session.rows<{ doc: string }>(
          sql`SELECT doc FROM incident WHERE organization_id = ${organizationId} AND id = ${id}`,
        );
        moveIncident(write, JSON.parse(row!.doc) as Incident, to);
      });
  }
}
