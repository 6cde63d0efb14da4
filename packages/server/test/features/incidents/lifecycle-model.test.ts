import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Incident, incidentTypes } from '@kontor/contract';
import fc from 'fast-check';
import { files, incidentCounters, incidentTestData, type IncidentTestData, wholeState } from './support.ts';
import { type ApiClient, apiClient } from '../../support/contract/client.ts';
import { testToken } from '../../support/data/tokens.ts';
import { atScale } from '../../support/service/scale.ts';

let context: IncidentTestData;
let platform: ApiClient;
before(async () => {
  context = await incidentTestData();
  const key = await testToken(context.sql);
  platform = apiClient(context.service.managementUrl, { api: 'platform', key });
});
after(async () => {
  platform?.close();
  await context?.close();
});

type Report = Partial<
  Pick<Incident, 'orderId' | 'type' | 'occurredOn' | 'effectiveFrom' | 'effectiveTo' | 'description'>
> &
  Partial<Pick<Incident, 'policeReference'>>;

/** The way of incidents on the platform: the states that an action leads from, and the one that it leads to. */
const actions = {
  processing: { from: ['completed'], to: 'in_progress' },
  resolution: { from: ['in_progress'], to: 'resolved' },
  rejection: { from: ['in_progress'], to: 'rejected' },
  cancellation: { from: ['draft', 'completed'], to: 'cancelled' },
} as const satisfies Record<string, { from: readonly string[]; to: Incident['status'] }>;
type Action = keyof typeof actions;

/** What the model knows of an incident: its public fields that the lifecycle is about. */
interface Modelled {
  report: Required<Report>;
  /** Set on the platform; null while the report decides. */
  decided: (typeof actions)[Action]['to'] | null;
  attachments: number;
}
/** The incidents by their identifiers, in the order of their creation. */
type Model = Map<string, Modelled>;

/** An employee with an order each, and a third one's order. */
interface Real {
  readonly employeeId: string;
  readonly orders: Record<'own' | 'other', string>;
  /** What a poller has seen so far of the employee, and the last row of it. */
  readonly seen: Map<string, Incident>;
  last: Pick<Incident, 'id' | 'updatedAt'>;
}

/** What is required beyond order, day and description, as a table. */
const required: Partial<Record<Incident['type'], keyof Report>> = {
  long_term_illness: 'effectiveFrom',
  maternity_leave: 'effectiveFrom',
  parental_leave: 'effectiveFrom',
  unpaid_leave: 'effectiveFrom',
  release: 'effectiveFrom',
  theft: 'policeReference',
  loss: 'policeReference',
};

function statusOf({ report, decided }: Modelled): string {
  if (decided) return decided;
  const more = required[report.type];
  const complete = report.orderId && report.occurredOn && report.description && (!more || report[more]);
  return complete ? 'completed' : 'draft';
}

/** The rejection of a report that is otherwise in order; null when there is none. */
function faultOf(report: Required<Report>, sent: Report, real: Real): string | null {
  if (sent.orderId === real.orders.other) return 'INVALID_REFERENCE';
  const { effectiveFrom: from, effectiveTo: to } = report;
  return from && to && to < from ? 'VALIDATION_ERROR' : null;
}

const empty = {
  orderId: null,
  occurredOn: null,
  effectiveFrom: null,
  effectiveTo: null,
  description: null,
  policeReference: null,
};

/** A part of a report; the employee of its order is chosen at random. */
interface Draft extends Omit<Report, 'orderId'> {
  orderId?: 'own' | 'other' | null;
}

function reportOf({ orderId, ...draft }: Draft, real: Real): Report {
  return orderId === undefined ? draft : { ...draft, orderId: orderId && real.orders[orderId] };
}

type Command = fc.AsyncCommand<Model, Real>;
const query = (dryRun: boolean) => (dryRun ? { query: { dryRun } } : {});

/** Sends a write; a dry run must answer as the write would, and change nothing. */
async function send<T extends { status: number; body: { error?: { code: string } } }>(
  dryRun: boolean,
  expected: [status: number, code?: string],
  write: (options: { query?: { dryRun: boolean } }) => Promise<T>,
): Promise<T> {
  const before = dryRun || expected[1] ? await wholeState(context.sql) : null;
  const answer = await write(query(dryRun));
  const status = dryRun && expected[0] === 201 ? 200 : expected[0];
  assert.deepEqual([answer.status, answer.body.error?.code], [status, expected[1]]);
  if (before !== null) assert.equal(await wholeState(context.sql), before);
  return answer;
}

class Create implements Command {
  constructor(draft: Draft & { type: Incident['type'] }, dryRun: boolean) {
    this.draft = draft;
    this.dryRun = dryRun;
  }
  readonly draft: Draft & { type: Incident['type'] };
  readonly dryRun: boolean;
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    const sent = reportOf(this.draft, real);
    const report = { ...empty, ...sent } as Required<Report>;
    const fault = faultOf(report, sent, real);
    const body = { employeeId: real.employeeId, ...sent };
    const { body: made } = await send(this.dryRun, fault ? [422, fault] : [201], options =>
      context.client.post('/incidents', body, options),
    );
    if (fault) return;
    const modelled: Modelled = { report, decided: null, attachments: 0 };
    assert.equal(made.status, statusOf(modelled));
    if (!this.dryRun) model.set(made.id, modelled);
  }
  toString = () => `create ${JSON.stringify(this.draft)}${this.dryRun ? ' dry' : ''}`;
}

/** A command on one of the incidents that there are, by its place. */
abstract class OnIncident implements Command {
  readonly place: number;
  readonly dryRun: boolean;
  constructor(place: number, dryRun = false) {
    this.place = place;
    this.dryRun = dryRun;
  }
  check = (model: Readonly<Model>) => model.size > 0;
  async run(model: Model, real: Real): Promise<void> {
    const id = [...model.keys()][this.place % model.size]!;
    await this.on(id, model.get(id)!, real);
    const { body } = await context.client.get<Incident>(`/incidents/${id}`);
    const { report, attachments, decided } = model.get(id)!;
    for (const [name, value] of Object.entries(report)) assert.equal(body[name as keyof Incident], value);
    assert.deepEqual(
      [body.status, body.editable, body.attachments.length],
      [statusOf(model.get(id)!), decided === null, attachments],
    );
  }
  abstract on(id: string, incident: Modelled, real: Real): Promise<void>;
}

class Patch extends OnIncident {
  readonly draft: Draft;
  constructor(place: number, draft: Draft, dryRun: boolean) {
    super(place, dryRun);
    this.draft = draft;
  }
  override async on(id: string, incident: Modelled, real: Real): Promise<void> {
    const sent = reportOf(this.draft, real);
    const report = { ...incident.report, ...sent };
    const fault = incident.decided ? 'INVALID_STATE_TRANSITION' : faultOf(report, sent, real);
    const status = incident.decided ? 409 : 422;
    const { body } = await send(this.dryRun, fault ? [status, fault] : [200], options =>
      context.client.patch(`/incidents/${id}`, sent, options),
    );
    if (fault) return;
    assert.equal(body.status, statusOf({ ...incident, report }));
    if (!this.dryRun) incident.report = report;
  }
  override toString = () => `patch ${this.place} ${JSON.stringify(this.draft)}${this.dryRun ? ' dry' : ''}`;
}

class Upload extends OnIncident {
  override async on(id: string, incident: Modelled): Promise<void> {
    const fits = statusOf(incident) === 'completed' && incident.attachments < 20;
    const file = { bytes: files['image/png'], fileName: 'a.png' };
    await send(this.dryRun, fits ? [201] : [409, 'INVALID_STATE_TRANSITION'], options =>
      context.client.upload(`/incidents/${id}/attachments`, file, options),
    );
    if (fits && !this.dryRun) incident.attachments += 1;
  }
  override toString = () => `upload ${this.place}${this.dryRun ? ' dry' : ''}`;
}

class Move extends OnIncident {
  readonly action: Action;
  constructor(place: number, action: Action, dryRun: boolean) {
    super(place, dryRun);
    this.action = action;
  }
  override async on(id: string, incident: Modelled): Promise<void> {
    const { from, to }: { from: readonly string[]; to: Modelled['decided'] } = actions[this.action];
    const fits = from.includes(statusOf(incident));
    const path = `/organizations/${context.testData.organization}/incidents/${id}/${this.action}`;
    const { body } = await send(this.dryRun, fits ? [200] : [409, 'INVALID_STATE_TRANSITION'], options =>
      platform.post(path, undefined, options),
    );
    if (!fits) return;
    assert.deepEqual([body.status, body.editable], [to, false]);
    if (!this.dryRun) incident.decided = to;
  }
  override toString = () => `${this.action} ${this.place}${this.dryRun ? ' dry' : ''}`;
}

/** Asks for what is new, as a client does that follows changes; it must then know every incident as it is. */
class Poll implements Command {
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    for (;;) {
      const { id, updatedAt } = real.last;
      const filter = `employeeId = ${real.employeeId} AND updatedAt >= ${updatedAt} AND (updatedAt > ${updatedAt} OR id > ${id})`;
      const query = { filter, sort: 'updatedAt', pageSize: 2 };
      const { items } = (await context.client.get('/incidents', { query })).body;
      if (items.length === 0) break;
      for (const incident of items) real.seen.set(incident.id, incident);
      real.last = items.at(-1);
    }
    assert.equal(real.seen.size, model.size);
    for (const [id, incident] of model)
      assert.deepEqual(
        [real.seen.get(id)!.status, real.seen.get(id)!.attachments.length],
        [statusOf(incident), incident.attachments],
      );
  }
  toString = () => 'poll';
}

const day = fc.constantFrom(null, '2026-09-01', '2026-09-02', '2026-09-03');
const text = fc.constantFrom(null, 'a', 'b');
const type = fc.constantFrom(...incidentTypes);
const fields = {
  orderId: fc.constantFrom('own' as const, 'own' as const, 'own' as const, 'other' as const, null),
  occurredOn: day,
  effectiveFrom: day,
  effectiveTo: day,
  description: text,
  policeReference: text,
};
const draft = fc.record({ type, ...fields }, { requiredKeys: ['type'] });
const change: fc.Arbitrary<Draft> = fc
  .record({ type, ...fields }, { requiredKeys: [] })
  .filter(report => Object.keys(report).length > 0);
const complete = type.map(rendered => ({
  type: rendered,
  orderId: 'own' as const,
  occurredOn: '2026-09-01',
  effectiveFrom: '2026-09-01',
  description: 'a',
  policeReference: 'a',
}));
const place = fc.nat(3);
const dryRun = fc.boolean();
const action = fc.constantFrom(...(Object.keys(actions) as Action[]));

test('incidents go through their lifecycle as a simple model does, on both APIs, and pollers see it', async () => {
  const commands = [
    fc.tuple(draft, dryRun).map(([rendered, dry]) => new Create(rendered, dry)),
    complete.map(rendered => new Create(rendered, false)),
    fc.tuple(place, change, dryRun).map(([at, rendered, dry]) => new Patch(at, rendered, dry)),
    fc.tuple(place, change).map(([at, rendered]) => new Patch(at, rendered, false)),
    fc.tuple(place, dryRun).map(([at, dry]) => new Upload(at, dry)),
    place.map(at => new Upload(at)),
    fc.tuple(place, action, dryRun).map(([at, rendered, dry]) => new Move(at, rendered, dry)),
    fc.constant(new Poll()),
  ];
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 25 }), async rendered => {
      const employeeId = await context.employee();
      const orders = {
        own: await context.order(employeeId),
        other: await context.order(await context.employee()),
      };
      const last = { id: '0', updatedAt: '2026-01-01T00:00:00.000Z' };
      const real = { employeeId, orders, seen: new Map<string, Incident>(), last };
      await fc.asyncModelRun(() => ({ model: new Map(), real }), rendered);
    }),
    { numRuns: atScale(10, 25) },
  );
  const { kept, real } = await incidentCounters(context.sql, context.testData.organization);
  assert.deepEqual(kept, real);
});
