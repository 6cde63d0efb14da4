import { type Config, readConfig } from '../config.ts';
import { pathsOf } from '../divisions.ts';
import type { Plan } from '../plan.ts';
import { attentionCode, fieldName, show } from '../report.ts';
import { originOf } from '../server.ts';
import { emailKey } from '../source/source.ts';
import { type Conflict, State } from '../state.ts';
import type { Result } from '../sync.ts';
import { SyncError } from '../sync-error.ts';
import { ask, canAsk, type Terminal } from '../terminal.ts';

type Side = 'source' | 'kontor';

interface Options {
  readonly config: string;
  readonly take?: Side | undefined;
  /** Number or email. */
  readonly person?: string | undefined;
  readonly field?: string | undefined;
}

/** `kontor-sync resolve`: decides the conflicts of the last plan. The next plan follows the decisions. */
export async function resolveCommand(terminal: Terminal, options: Options): Promise<Result> {
  const config = await readConfig(options.config);
  const state = new State(config.state, originOf(config));
  try {
    const paths = Object.fromEntries(pathsOf(state.divisions()));
    const chosen = state.conflicts().filter(conflict => isChosen(conflict, options));
    let resolved = 0;
    for (const conflict of chosen) {
      const side = options.take ?? (canAsk(terminal) ? await askSide(terminal, conflict, paths) : null);
      if (side === null) continue;
      resolveConflict(state, conflict, side);
      resolved++;
    }
    const open = state.conflicts();
    const lines = open.map(conflict => describe(conflict, paths));
    return resultOf(open, lines, chosen.length, resolved, config);
  } finally {
    state.close();
  }
}

function isChosen({ employeeNumber, email, field }: Conflict, { person, field: only }: Options): boolean {
  const isPerson = person === undefined || person === employeeNumber || emailKey(person) === emailKey(email);
  return isPerson && (only === undefined || only === field || only === fieldName(field));
}

/** With `source` the next plan writes the value of the file, with `kontor` it keeps the other one until the file changes. */
function resolveConflict(state: State, conflict: Conflict, side: Side): void {
  const { id, field, source, server } = conflict;
  state.transaction(() => {
    state.addBases(id, { [field]: side === 'source' ? { server } : { source, server } });
    state.deleteConflict(conflict);
  });
}

async function askSide(terminal: Terminal, conflict: Conflict, paths: Plan['paths']): Promise<Side | null> {
  terminal.stderr.write(`${describe(conflict, paths)}\n`);
  for (;;) {
    const question = 'Take the value of the file (f), of Kontor (k), or neither (n)';
    const answer = (await ask(terminal, question, { preset: 'n' })).toLowerCase();
    if (answer === 'f') return 'source';
    if (answer === 'k') return 'kontor';
    if (answer === 'n') return null;
  }
}

function describe({ name, line, field, source, server, kind }: Conflict, paths: Plan['paths']): string {
  const reason = kind === 'conflict' ? 'both sides have changed it' : 'they differed at the first comparison';
  return `${name}, line ${line}: ${fieldName(field)} is ${show(source, paths)} in the file and ${show(server, paths)} in Kontor; ${reason}`;
}

function resultOf(
  open: readonly Conflict[],
  lines: readonly string[],
  chosen: number,
  resolved: number,
  { state }: Config,
): Result {
  if (chosen === 0 && resolved === 0 && open.length > 0)
    throw new SyncError('no conflict has this person and field: kontor-sync resolve lists all');
  const text =
    open.length === 0
      ? `${resolved} resolved, none left. Next: kontor-sync plan`
      : [`${resolved} resolved, ${open.length} left`, ...lines].join('\n');
  return { text, json: { resolved, open, state }, exitCode: open.length === 0 ? 0 : attentionCode };
}
