// The guard runs this when a process ended without closing its embedded PostgreSQL; see guard.ts.
import { leaveInPlace } from './visit.ts';

await leaveInPlace(process.argv[2]!);
