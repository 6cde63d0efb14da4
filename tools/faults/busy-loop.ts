// Loaded before `kontor serve`: keeps its event loop busy, as large answers and garbage collection do, so that several
// things which happen one after the other on a connection reach the service in one turn.
import { Random } from './random.ts';

/** How long the loop is blocked, and how long it is free in between; milliseconds. */
const blocked = { from: 20, to: 60 };
const free = { from: 40, to: 300 };

const random = new Random(Number(process.env.KONTOR_FAULTS_SEED ?? 1));

function block(): void {
  const until = performance.now() + random.integer(blocked.from, blocked.to);
  while (performance.now() < until);
  setTimeout(block, random.integer(free.from, free.to)).unref();
}

block();
