import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Applied, Writer } from './apply.ts';
import { type Config, readConfig, readKey } from './config.ts';
import { countPersons, makePlan, type Plan } from './plan.ts';
import { appliedText, attentionCode, countRequests, needsAttention } from './report.ts';
import { openServer, originOf, type Server } from './server.ts';
import { readSource } from './source/source.ts';
import { State } from './state.ts';
import { messageOf, SyncError } from './sync-error.ts';
import { progressOf, type Terminal } from './terminal.ts';
import { writeJson } from './write-file.ts';

/** The result of a command: what is printed, and the exit code. */
export interface Result {
  readonly text: string;
  readonly json: object;
  readonly exitCode: number;
}

/** The parts that the commands of a sync share. */
export interface Sync {
  readonly config: Config;
  readonly state: State;
  readonly server: Server;
  readonly terminal: Terminal;
}

/** Opens the configuration, the state and a client, and closes the state in the end. */
export async function withSync<T>(
  terminal: Terminal,
  file: string,
  run: (sync: Sync) => Promise<T>,
): Promise<T> {
  const config = await readConfig(file);
  const server = openServer(config, await readKey(config, terminal.environment['KONTOR_API_KEY']));
  const state = new State(config.state, originOf(config));
  try {
    return await run({ config, state, server, terminal });
  } finally {
    state.close();
  }
}

/** Reads a file of people, or with `-` what another program writes. */
export async function readInput({ stdin }: Terminal, file: string): Promise<Uint8Array> {
  if (file === '-') return buffer(stdin);
  return readFile(file).catch((error: Error) => {
    throw new SyncError(`the file cannot be read: ${error.message}`);
  });
}

/** Compares a file with Kontor, and stores what both agree on. The writes of a run that was killed are settled before. */
export async function plan({ config, state, server, terminal }: Sync, file: string): Promise<Plan> {
  const source = await readSource(await readInput(terminal, file), config);
  await new Writer(state, server).settle(config.access);
  const { plan, known } = makePlan({
    origin: originOf(config),
    config,
    source,
    employees: state.employees(),
    divisions: state.divisions(),
    bases: state.bases(),
    references: state.references(),
    isFirst: state.setting('first sync') === undefined,
  });
  state.transaction(() => {
    for (const [id, bases] of known.bases) state.addBases(id, bases);
    state.replaceReferences(known.references);
    state.setConflicts(plan.conflicts);
  });
  return plan;
}

/** Executes a plan within the brake. @throws SyncError for a plan of another company, or beyond the brake */
export async function apply({ config, state, server, terminal }: Sync, plan: Plan): Promise<Applied> {
  if (plan.origin !== originOf(config))
    throw new SyncError(`the plan is for ${plan.origin}, not for ${originOf(config)}: make it again`);
  // An apply that was killed may have stored writes of this plan.
  if (state.intents().length > 0) await new Writer(state, server).settle(config.access);
  const applied = await new Writer(state, server, progressOf(terminal, 'writes')).apply(plan, config.access);
  state.setSetting('first sync', 'complete');
  return applied;
}

/** Whether the brake stops a plan. */
export const isStopped = (plan: Plan, yesChange: number) =>
  plan.brake !== null && countPersons(plan) > yesChange;

/** Two configurations in one folder have states of their own, whose names their reports have. */
function reportFile(state: string): string {
  const { dir, name } = path.parse(state);
  return path.join(dir, name === 'kontor-sync' ? 'report.json' : `${name}-report.json`);
}

/** Writes the report next to the state, and returns what is printed. */
export async function report(
  sync: Sync,
  plan: Plan,
  applied: Applied | null,
  texts: readonly string[],
): Promise<Result> {
  const { config, server, terminal } = sync;
  const { conflicts, rejects, manual, absent, kept, counts, brake } = plan;
  const skipped = applied?.skipped ?? [];
  const isOpen = needsAttention(plan) || skipped.length > 0 || applied === null;
  const json = {
    at: new Date().toISOString(),
    requests: server.requests,
    counts,
    applied,
    brake: applied === null ? brake : null,
    conflicts,
    rejects,
    manual: [...manual, ...(applied?.manual ?? [])],
    absent,
    kept,
  };
  const file = reportFile(config.state);
  // A full disk must not hide the result of the writes.
  const failure = await writeJson(file, json).then(() => null, messageOf);
  if (failure !== null) terminal.stderr.write(`kontor-sync: ${failure}\n`);
  // The text of a plan without writes says so.
  const hasResult = applied !== null && (texts.length === 0 || countRequests(plan) > 0);
  const lines = [...texts, ...(hasResult ? [appliedText(applied)] : [])];
  if (isOpen && failure === null) lines.push(`${file} has the whole report`);
  return { text: lines.join('\n'), json, exitCode: failure !== null ? 1 : isOpen ? attentionCode : 0 };
}
