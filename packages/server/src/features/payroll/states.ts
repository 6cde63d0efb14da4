import { ApiError, type PayrollRun } from '@kontor/contract';
import { empty, type Fragment, sql } from '../../db/sql.ts';
import type { RunKey } from './ledger.ts';

/*
 * The states of a run:
 *
 * | state     |                                                                                |
 * | --------- | ------------------------------------------------------------------------------ |
 * | computing | the job `payroll_draft` computes entries and report                            |
 * | draft     | waits for a person: release or discard                                         |
 * | releasing | the job `payroll_release` computes again, and releases when nothing differs    |
 * | released  | final: its entries are in the ledger, its documents are public                 |
 * | discarded | final: nothing of it counts                                                    |
 *
 * A tenant has one run in `computing`, `draft` or `releasing` at a time. Callers lock the settings of the tenant for a moment to change a run.
 * A job may take a minute and locks only its own row in `background_job`. Meanwhile the state of the run keeps others out: while it is
 * `releasing`, neither settings nor ledger of the tenant change.
 */

export type RunState = PayrollRun['status'];

/** `release` and `discard` are requests. With the others a job ends: that of the draft, and that of the release. */
export type RunEvent = 'computed' | 'not_computed' | 'release' | 'released' | 'not_released' | 'discard';

/** The next state of a run. Its own: nothing changes. Null: a request is rejected, and a job has no effect, as the run was discarded meanwhile. */
// prettier-ignore
export const transitions: Readonly<Record<RunState, Readonly<Record<RunEvent, RunState | null>>>> = {
  computing: { computed: 'draft', not_computed: 'discarded', release: null,        released: null,       not_released: null,    discard: 'discarded' },
  draft:     { computed: null,    not_computed: null,        release: 'releasing', released: null,       not_released: null,    discard: 'discarded' },
  releasing: { computed: null,    not_computed: null,        release: 'releasing', released: 'released', not_released: 'draft', discard: null },
  released:  { computed: null,    not_computed: null,        release: 'released',  released: null,       not_released: null,    discard: null },
  discarded: { computed: null,    not_computed: null,        release: null,        released: null,       not_released: null,    discard: 'discarded' },
};

const states = Object.keys(transitions) as RunState[];

/** The statement that moves a run. It changes no run that is in another state than those that the event leads out of. */
export function moveRun(
  event: RunEvent,
  { organizationId, id }: RunKey,
  changes: Fragment = empty,
): Fragment {
  const from = states.filter(state => ![null, state].includes(transitions[state][event]));
  const to = transitions[from[0]!][event];
  return sql`
    UPDATE payroll_run SET status = ${to} ${changes}
    WHERE organization_id = ${organizationId} AND id = ${id} AND status = ANY(${from}::text[])`;
}

const requested = { release: 'released', discard: 'discarded' } as const;

/** Whether a request moves a run, or finds it where it leads to. @throws ApiError INVALID_STATE_TRANSITION */
export function checkMove(state: RunState, event: keyof typeof requested): boolean {
  const next = transitions[state][event];
  if (next !== null) return next !== state;
  throw new ApiError(
    'INVALID_STATE_TRANSITION',
    `The run is ${state} and cannot be ${requested[event]}; read it again`,
  );
}

/** Whether a job works on a run, or is queued to do so. */
export function isInProgress({ status }: Pick<PayrollRun, 'status'>): boolean {
  return status === 'computing' || status === 'releasing';
}
