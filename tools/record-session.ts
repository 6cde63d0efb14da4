// node tools/record-session.ts: records a session with /v1 as this version answers it. Run it with a change that clients are meant to
// see, and read the difference; and with each release.
import { writeFile } from 'node:fs/promises';
import { recordedFile, recordingOf } from '../packages/server/test/session/recorded.ts';
import { recordSession } from '../packages/server/test/session/session.ts';

const entries = await recordSession();
await writeFile(recordedFile, recordingOf(entries));
console.log(`Written: ${entries.length} exchanges`);
