import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { after } from 'node:test';
import { Kontor } from '@kontor/sdk';
import { createOrganization, createTenant } from '../../../server/src/features/organizations/store.ts';
import { type Fixture, useFixture } from '../../../server/test/support/service/fixture.ts';
import { testKey } from '../../../server/test/support/data/test-data.ts';
import { runProgram } from '../../src/cli.ts';
import type { ConfigFile } from '../../src/config.ts';
import type { Plan } from '../../src/plan.ts';

/** The result of a command. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A company without people, and a folder in which kontor-sync runs for it. */
export interface Company {
  readonly folder: string;
  readonly organization: string;
  readonly tenant: string;
  readonly apiKey: string;
  readonly kontor: Kontor;
  /** Writes `kontor-sync.json`. */
  configure(config?: Partial<ConfigFile>): Promise<void>;
  /** Writes the file of people. */
  write(rows: readonly (readonly string[])[]): Promise<void>;
  /** Runs a command in this process. */
  run(command: string, ...args: readonly string[]): Promise<Ran>;
  /** Plans the file. */
  plan(): Promise<Plan>;
  /** Plans and applies it. @throws unless the exit code is the given one */
  sync(exitCode?: number, ...more: readonly string[]): Promise<any>;
}

const columns = {
  Nr: 'employeeNumber',
  Vorname: 'firstName',
  Nachname: 'lastName',
  Mail: 'email',
  Ort: 'city',
  Abteilung: 'division',
} as const;

const header = Object.keys(columns);

/** A row of the file of people. */
export const personRow = (number: number, city = 'Berlin', division = 'Vertrieb / Nord') => [
  String(number),
  `Vorname${number}`,
  `Nachname${number}`,
  `p${number}@example.com`,
  city,
  division,
];

/** A service, and a function that makes a company with a key of its own. */
export function useCompanies(): { fixture: Fixture; makeCompany: (url?: string) => Promise<Company> } {
  const folders: string[] = [];
  const fixture = useFixture();
  after(() => Promise.all(folders.map(folder => rm(folder, { recursive: true, force: true }))));
  const makeCompany = async (url = fixture.service.url): Promise<Company> => {
    const folder = await mkdtemp(path.join(tmpdir(), 'kontor-sync-'));
    folders.push(folder);
    const organization = await createOrganization(fixture.sql, `Organization ${folder}`);
    const tenant = await createTenant(fixture.sql, organization, `Company ${folder}`);
    const apiKey = await testKey(fixture.sql, organization, 'all');
    const file = path.join(folder, 'people.csv');
    const kontor = new Kontor({ apiKey, baseUrl: fixture.service.url, tenant });
    const configure = (config: Partial<ConfigFile> = {}) => {
      const whole: ConfigFile = { baseUrl: url, matchBy: 'employeeNumber', columns, ...config };
      return writeFile(path.join(folder, 'kontor-sync.json'), JSON.stringify(whole));
    };
    await configure();
    const run = async (command: string, ...args: readonly string[]): Promise<Ran> => {
      const config = ['--config', path.join(folder, 'kontor-sync.json')];
      return runHere([command, ...args, ...config], { KONTOR_API_KEY: apiKey });
    };
    return {
      folder,
      organization,
      tenant,
      apiKey,
      kontor,
      configure,
      write: rows => writeFile(file, csvOf([header, ...rows])),
      run,
      async plan() {
        const out = path.join(folder, 'plan.json');
        const { exitCode, stderr } = await run('plan', file, '--out', out);
        if (exitCode === 1) throw new Error(stderr);
        return JSON.parse(await readFile(out, 'utf8')) as Plan;
      },
      async sync(expected = 0, ...more) {
        const { exitCode, stdout, stderr } = await run('run', file, '--json', ...more);
        if (exitCode !== expected) throw new Error(`ended with ${exitCode}: ${stdout}${stderr}`);
        return exitCode === 1 ? stderr : JSON.parse(stdout);
      },
    };
  };
  return { fixture, makeCompany };
}

export const csvOf = (rows: readonly (readonly string[])[], delimiter = ';') =>
  rows.map(row => row.join(delimiter)).join('\r\n');

/** Runs a command in this process, without a terminal. */
export async function runHere(
  args: readonly string[],
  environment: Record<string, string> = {},
  input = '',
): Promise<Ran> {
  const texts = { stdout: '', stderr: '' };
  const streamTo = (name: keyof typeof texts) =>
    new Writable({
      write(chunk, _encoding, done) {
        texts[name] += String(chunk);
        done();
      },
    }) as unknown as NodeJS.WriteStream;
  const stdin = Readable.from([Buffer.from(input)]) as unknown as NodeJS.ReadStream;
  const terminal = { stdin, stdout: streamTo('stdout'), stderr: streamTo('stderr'), environment };
  return { exitCode: await runProgram(terminal, args), ...texts };
}
