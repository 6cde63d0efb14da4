import { oneOf } from '../../config.ts';
import { moveFiles, type Move, type Pass } from '../../consistency/move-files.ts';
import { countRowsToVerify } from '../../consistency/verify.ts';
import { withProcessLock } from '../../db/process-lock.ts';
import { openS3 } from '../../files/open.ts';
import { beginMove, destinations, endMove } from '../../files/place.ts';
import { throttle } from '../../lib/concurrency/interval.ts';
import { readOrganizations } from '../organization/store.ts';
import {
  attentionCode,
  CommandError,
  type CommandResult,
  type DatabaseContext,
  defineDatabaseCommand,
  fileSettings,
  flag,
  requiredOption,
} from '../program/command.ts';
import { count } from '../program/output.ts';
import { showProgress } from '../program/progress.ts';

/** Max files that are listed; all are in `--json`. */
const maxListed = 100;

/** Milliseconds between two checks of the lock, which a session without statements loses after a minute. */
const lockInterval = 5_000;

export const filesMove = defineDatabaseCommand({
  summary: 'Move all files between the database and the store of FILES_URL. The service can run meanwhile',
  example: 'files move --to store',
  input: {
    to: requiredOption('--to <place>', `Where to: ${destinations.join(', ')}`, oneOf(destinations)),
    begin: flag('--begin', 'Only begin: new files go there, and nothing is moved yet'),
  },
  settings: fileSettings,
  async run(context, { to, begin }) {
    const { db, config } = context;
    const { filesUrl, fileTimeout } = config;
    if (filesUrl === null)
      throw new CommandError('set FILES_URL to the file store: both directions of a move need it');
    if (begin) {
      await beginMove(db, to);
      return { json: { to, begun: true }, text: `New files go into ${words[to]}; processes need FILES_URL` };
    }
    using s3 = await openS3({ filesUrl, fileTimeout }, db);
    const move = { db, s3, timeout: fileTimeout * 1000, to };
    const { target } = await context.openDatabase();
    let all: Pass | undefined;
    const ran = await withProcessLock(target, 'files move', async checkLock => {
      await beginMove(db, to);
      const whileMoving = throttle(async () => {
        await checkLock();
        // The objects of moved files, which otherwise a service removes.
        await s3.sweep();
      }, lockInterval);
      all = await moveAll(context, move, whileMoving);
      await s3.sweep();
      if (isComplete(all)) await endMove(db, to);
    });
    if (!ran) throw new CommandError('another process moves files already');
    return reportResult(move, all!);
  },
});

/** Repeats passes until one finds nothing to move: processes that were started earlier may store files in the old place meanwhile. */
async function moveAll(
  context: DatabaseContext,
  move: Move,
  whileMoving: () => Promise<void>,
): Promise<Pass> {
  let moved = 0;
  for (;;) {
    const pass: Pass = { moved: 0, skipped: 0, unmoved: [] };
    await runPass(context, move, pass, whileMoving);
    moved += pass.moved;
    if (pass.moved === 0) return { ...pass, moved };
  }
}

async function runPass(
  context: DatabaseContext,
  move: Move,
  pass: Pass,
  whileMoving: () => Promise<void>,
): Promise<void> {
  for (const { id, name } of await readOrganizations(move.db, null)) {
    using progress = showProgress(context);
    progress.begin(`Moving the files of ${name}`, await countRowsToVerify(move.db, id));
    await moveFiles(move, id, pass, async rows => {
      progress.advance(rows);
      await whileMoving();
    });
  }
}

const isComplete = ({ skipped, unmoved }: Pass) => skipped === 0 && unmoved.every(({ lost }) => lost);

const words = { database: 'the database', store: 'the file store' };

function reportResult({ to }: Move, pass: Pass): CommandResult {
  const { moved, skipped, unmoved } = pass;
  const lines = unmoved
    .slice(0, maxListed)
    .map(
      ({ kind, target, file, problem }) =>
        `${kind} ${target}${file === null ? '' : `, file ${file}`}: ${problem}`,
    );
  if (unmoved.length > lines.length) lines.push(`… and ${unmoved.length - lines.length} more`);
  lines.push(`${count(moved, 'file')} moved into ${words[to]}`);
  if (isComplete(pass)) lines.push(`All files are in ${words[to]}`);
  else
    lines.push(
      'The move goes on: the service reads both places. Run the command again after you have solved this',
    );
  return {
    json: { to, moved, skipped, unmoved, complete: isComplete(pass) },
    text: lines.join('\n'),
    exitCode: isComplete(pass) && unmoved.length === 0 ? 0 : attentionCode,
  };
}
