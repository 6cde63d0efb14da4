import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { readConnection, readKey } from '../config.ts';
import { type FileProblem, pullFiles } from '../pull/files.ts';
import { type Format, writeRows } from '../pull/formats.ts';
import { Output } from '../pull/output.ts';
import { readType } from '../pull/read.ts';
import { type ResourceType, resourceTypes } from '../pull/resource-types.ts';
import { attentionCode, count } from '../report.ts';
import { openServer, originOf } from '../server.ts';
import type { Result } from '../sync.ts';
import { progressOf, type Terminal } from '../terminal.ts';

interface Options {
  readonly config: string;
  readonly format?: readonly Format[];
  readonly only?: readonly ResourceType[];
  readonly full?: boolean;
}

interface Pulled {
  readonly type: string;
  readonly changed: number;
  readonly removed: number;
  readonly total: number;
}

/** `kontor-sync pull out/`: brings the rows and payroll files of Kontor into a folder. */
export async function pullCommand(terminal: Terminal, folder: string, options: Options): Promise<Result> {
  const { config, format: formats = [], only = resourceTypes, full = false } = options;
  const connection = await readConnection(config);
  const server = openServer(connection, await readKey(connection, terminal.environment['KONTOR_API_KEY']));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const database = path.join(folder, 'kontor.sqlite');
  const output = new Output(database, originOf(connection));
  try {
    await removePartial(folder);
    const pulled: Pulled[] = [];
    const problems: FileProblem[] = [];
    for (const type of resourceTypes.filter(type => only.includes(type))) {
      const read = await readType(output, server.kontor, type, {
        isFull: full || connection.access === 'divisions',
        progressFrom: done => progressOf(terminal, type.replaceAll('-', ' '), done),
      });
      pulled.push({ type, ...read, total: output.count(type) });
      for (const format of formats) await writeRows(output, type, format, folder);
      if (type !== 'payroll-export-documents') continue;
      const files = await pullFiles(output, server.kontor, path.join(folder, 'files'));
      pulled.push({ type: 'files', changed: files.downloaded, ...files });
      problems.push(...files.problems);
    }
    return resultOf(pulled, problems, { database, requests: server.requests });
  } finally {
    output.close();
  }
}

/** Removes the files that a killed pull has not finished. */
async function removePartial(folder: string): Promise<void> {
  const names = await readdir(folder);
  const partial = names.filter(
    name => name.endsWith('.partial') && resourceTypes.some(type => name.startsWith(`${type}.`)),
  );
  await Promise.all(partial.map(name => rm(path.join(folder, name))));
}

function resultOf(
  pulled: readonly Pulled[],
  problems: readonly FileProblem[],
  { database, requests }: { readonly database: string; readonly requests: number },
): Result {
  const number = (value: number) => value.toLocaleString('en').padStart(9);
  const lines = pulled.map(
    ({ type, changed, removed, total }) =>
      `${type.replaceAll('-', ' ').padEnd(24)}${number(total)}${number(changed)}${number(removed)}`,
  );
  const text = [
    `${''.padEnd(24)}${['all', 'changed', 'removed'].map(name => name.padStart(9)).join('')}`,
    ...lines,
    ...problems.map(({ name, reason }) => `missing  ${name}: ${reason}`),
    `${database} is up to date, after ${count(requests, 'request')}`,
  ].join('\n');
  const json = {
    database,
    requests,
    pulled: pulled.map(({ type, changed, removed, total }) => ({ type, total, changed, removed })),
    problems,
  };
  return { text, json, exitCode: problems.length === 0 ? 0 : attentionCode };
}
