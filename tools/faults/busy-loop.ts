// Loaded before `kontor serve`: keeps its event loop busy, as large answers and garbage collection do, so that several
// things which happen one after the other on a connection reach the service in one turn.
import { Chance } from './chance.ts';

/** How long the loop is blocked, and how long it is free in between; milliseconds. */
const blocked = { from: 20, to: 60 };
const free = { from: 40, to: 300 };

const chance = new Chance(Number(process.env.KONTOR_FAULTS_SEED ?? 1));

function block(): void {
  const until = performance.now() + chance.integer(blocked.from, blocked.to);
  while (performance.now() < until);
  setTimeout(block, chance.integer(free.from, free.to)).unref();
}

block();
