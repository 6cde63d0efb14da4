import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startCitus } from '../../../../tools/citus/cluster.ts';

/** A cluster for one file of tests, which may stop its workers. */
export interface OwnCluster {
  readonly url: string;
  /** Ends the server at a port at once, as a crash does. */
  crash(port: number): void;
  /** Starts a server again that has crashed. */
  restart(port: number): void;
  stop(): Promise<void>;
}

/** Starts a cluster, which the databases of tests are made on from then on. */
export async function startOwnCluster(): Promise<OwnCluster> {
  const { url, folder, stop } = await startCitus();
  process.env.KONTOR_TEST_DATABASE_URL = url;
  const first = Number(new URL(url).port);
  const data = (port: number) => path.join(folder, `node${port - first}`);
  return {
    url,
    crash(port) {
      const [pid] = readFileSync(path.join(data(port), 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGQUIT');
    },
    restart(port) {
      const start = [
        '/usr/lib/postgresql/15/bin/pg_ctl',
        '-D',
        data(port),
        '-l',
        `${data(port)}/log`,
        '-w',
        'start',
      ];
      const [program, ...args] =
        process.getuid!() === 0 ? ['runuser', '-u', 'postgres', '--', ...start] : start;
      execFileSync(program!, args, { cwd: '/', stdio: 'ignore' });
    },
    stop,
  };
}
