// Loaded into each file of tests: it fails, and reports the reason, when something keeps it open after its last test.
// `node:test` would wait for ever, since the timeout of a test does not count for its file.
import { after } from 'node:test';

/** Milliseconds that a file has for closing what its tests have opened. */
const timeout = Number(process.env.KONTOR_TEST_CLOSING_TIME ?? 120_000);

// The process that runs the files loads this, too.
if (process.env.NODE_TEST_CONTEXT?.startsWith('child'))
  after(() => {
    setTimeout(() => {
      const open = process.getActiveResourcesInfo().join(', ');
      console.error(`${process.argv[1]} has left open ${timeout} ms after its last test: ${open}`);
      process.exit(1);
    }, timeout).unref();
  });
