import { spec } from 'node:test/reporters';
import type { TestEvent } from 'node:test/reporters';
import { PassThrough } from 'node:stream';
import { findUntestedIn } from './declared-codes.ts';

/**
 * The usual report of node:test. After the last of several runs it names the declared answers that no test has shown, as one failure.
 * The last line has the numbers of tests that passed and failed.
 */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const forward = new PassThrough({ objectMode: true });
  const text = forward.pipe(new spec());
  const forwarding = (async () => {
    for await (const event of events) {
      count(event, counts);
      forward.write(event);
    }
    forward.end();
  })();
  for await (const part of text) yield String(part);
  await forwarding;
  const answers = process.env.KONTOR_TEST_ANSWERS;
  const isLast = answers !== undefined && process.env.KONTOR_TEST_WHOLE !== undefined;
  const missing = isLast ? await findUntestedIn(answers) : [];
  if (missing.length > 0) {
    counts.failed += 1;
    process.exitCode = 1;
    yield `\nNo test shows these declared answers. Test them in packages/server/test/features/<subject> or packages/server/test/portal, or write into exempt of tools/declared-codes.ts why not:\n${missing.map(answer => `- ${answer}\n`).join('')}`;
  }
  if (counts.skipped > 0) yield `\n${counts.skipped} skipped\n`;
  yield `\n${counts.passed} passed, ${counts.failed} failed\n`;
}

function count(event: TestEvent, counts: { passed: number; failed: number; skipped: number }): void {
  if (event.type !== 'test:pass' && event.type !== 'test:fail') return;
  const { details, skip, todo } = event.data;
  // A suite is no test; a file is one only when it failed by itself.
  if (details.type === 'suite') return;
  if (skip !== undefined || todo !== undefined) counts.skipped += 1;
  else counts[event.type === 'test:pass' ? 'passed' : 'failed'] += 1;
}
