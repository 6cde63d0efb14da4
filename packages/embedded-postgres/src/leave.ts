// Run by the guard of a process that ended without leaving its embedded PostgreSQL; see guard.ts.
import { leaveInPlace } from './visit.ts';

await leaveInPlace(process.argv[2]!);
