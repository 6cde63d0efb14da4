// node tools/record-session.ts: notes a session with /v1 as this version answers it. Done by a release, so that the versions behind
// it are compared with it; never to make a test pass.
import { writeFile } from 'node:fs/promises';
import { recordedFile, recordingOf } from '../packages/server/test/session/recorded.ts';
import { noteSession } from '../packages/server/test/session/session.ts';

const entries = await noteSession();
await writeFile(recordedFile, recordingOf(entries));
console.log(`Written: ${entries.length} exchanges`);
