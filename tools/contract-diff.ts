// npm run check:contract: compares the document of each API with the last released one. A breaking change needs a new dated entry
// in CHANGELOG.md (specification.md 8). A release (tools/release.ts) makes the present documents the released ones.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenApiDocument } from '@kontor/contract';
import { declaredErrors, errorsOf } from './declared-codes.ts';
import { documentFiles, publishedApis, releasedFiles } from './documents.ts';
import { renderReleased } from './released-contract.ts';

/** One change in the report of `redocly diff --format json`, as far as it is read here. */
interface Change {
  /** JSON pointer with the path and method first, for what belongs to an operation. */
  readonly path: string;
  readonly impact: 'major' | 'minor' | 'patch';
  readonly verdicts: readonly { readonly message: string }[];
  readonly property?: string;
  readonly base?: { readonly value?: unknown };
  readonly revision?: { readonly value?: unknown; readonly pointer?: string };
}

/** A change that can break a client. */
export interface Break {
  /** `GET /employees`, `/employees`, or the pointer of what belongs to no operation. */
  readonly where: string;
  readonly what: string;
}

const repository = fileURLToPath(new URL('..', import.meta.url));

/** All changes from one document to another, both in the form of a release: a parameter that lost its description would count as another one. */
async function findChanges(base: OpenApiDocument, revision: OpenApiDocument): Promise<Change[]> {
  await using resources = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-contract-'));
  resources.defer(() => rm(folder, { recursive: true }));
  const files = [path.join(folder, 'base.json'), path.join(folder, 'revision.json')] as const;
  await writeFile(files[0], renderReleased(base));
  await writeFile(files[1], renderReleased(revision));
  const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
  const configuration = path.join(repository, 'redocly.yaml');
  const args = ['diff', ...files, '--config', configuration, '--format', 'json', '--fail-on', 'none'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const options = { env, maxBuffer: 1 << 28 };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(process.execPath, [redocly, ...args], options, (error, stdout, stderr) =>
    error ? reject(new Error(`redocly diff failed: ${stderr}`)) : resolve(stdout),
  );
  return (JSON.parse(await promise) as { changes: Change[] }).changes;
}

/**
 * The changes that can break a client: those that Redocly rates so, and values that an enum of an answer lost, error codes
 * among them, since a client may wait for them.
 */
function filterBreaks(changes: readonly Change[]): Break[] {
  return changes.flatMap(change => {
    const where = placeOf(change.path);
    const lost = lostValues(change);
    if (change.impact === 'major') {
      const messages = change.verdicts.map(({ message }) => message);
      return [{ where, what: messages.join(' ') || `Changed: ${change.path}` }];
    }
    return lost.length > 0 ? [{ where, what: `Enum lost values: ${lost.join(', ')} (${change.path})` }] : [];
  });
}

/** Where the codes of all errors of a document stand. */
const codesPointer = '#/components/schemas/ErrorCode/enum';

/**
 * Whether a change is only that the errors of all operations, which share one schema, have gained codes of operations that are new: no
 * client of the others ever sees them.
 */
function isOfNewOperations(change: Change, base: OpenApiDocument, revision: OpenApiDocument): boolean {
  if (change.revision?.pointer !== codesPointer || lostValues(change).length > 0) return false;
  const known = new Set(change.base?.value as string[]);
  const before = new Set(declaredErrors(base).map(error => error.split(' ')[0]));
  return declaredErrors(revision).every(error => {
    const [operation, , code] = error.split(' ') as [string, string, string];
    return known.has(code) || !before.has(operation);
  });
}

function lostValues({ property, base, revision }: Change): string[] {
  if (property !== 'enum' || !Array.isArray(base?.value) || !Array.isArray(revision?.value)) return [];
  const kept = new Set<unknown>(revision.value);
  return base.value.filter(value => !kept.has(value)).map(String);
}

function placeOf(pointer: string): string {
  const [root, path, method] = pointer.replace(/^#\//, '').split('/').map(unescapePointer);
  if (root !== 'paths' || path === undefined) return pointer;
  return method === undefined || method === 'parameters' ? path : `${method.toUpperCase()} ${path}`;
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The entries of a changelog by their headings. */
export function entriesOf(changelog: string): Map<string, string> {
  const [, ...sections] = changelog.split(/^## /m);
  return new Map(sections.map(section => [section.split('\n', 1)[0]!.trim(), section]));
}

/**
 * The breaks that no entry of the changelog announces: one with a date in its heading that is not among the headings of
 * the release, has the word **Breaking**, and names the operation (`GET /employees`) where the break belongs to one.
 */
export function findUnannounced(
  breaks: readonly Break[],
  changelog: string,
  released: readonly string[],
): Break[] {
  const fresh = [...entriesOf(changelog)]
    .filter(([heading]) => /^\d{4}-\d{2}-\d{2}\b/.test(heading) && !released.includes(heading))
    .map(([, text]) => text)
    .filter(text => text.includes('**Breaking**'));
  return breaks.filter(
    ({ where }) => !fresh.some(text => where.startsWith('#') || text.includes(`\`${where}\``)),
  );
}

interface Released {
  readonly info: { readonly 'x-changelog': readonly string[] };
}

/**
 * The error codes that an operation no longer answers with a status; no schema has them. A code that no operation has is one break: the
 * enum of all codes lost it.
 */
export function findLostErrors(base: OpenApiDocument, revision: OpenApiDocument): Break[] {
  const kept = new Set(declaredErrors(revision));
  const codes = new Set([...kept].map(codeOf));
  return Object.entries(base.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const still = revision.paths[path]?.[method as keyof typeof item] !== undefined;
      const lost = still
        ? errorsOf(base, operation).filter(error => !kept.has(error) && codes.has(codeOf(error)))
        : [];
      return lost.map(error => ({ where: `${method.toUpperCase()} ${path}`, what: `No longer: ${error}` }));
    }),
  );
}

/** The code of an error in the form `operation status code`. */
function codeOf(error: string): string {
  return error.split(' ')[2]!;
}

/** Everything in one document that can break a client of another one. */
export async function findBreaks(base: OpenApiDocument, revision: OpenApiDocument): Promise<Break[]> {
  const changes = await findChanges(base, revision);
  const felt = changes.filter(change => !isOfNewOperations(change, base, revision));
  return [...filterBreaks(felt), ...findLostErrors(base, revision)];
}

export async function readDocument(file: string): Promise<OpenApiDocument> {
  return JSON.parse(await readFile(file, 'utf8')) as OpenApiDocument;
}

/** The headings that the changelog had at the last release. */
export async function readReleasedHeadings(root: string): Promise<readonly string[]> {
  const document = await readDocument(path.join(root, releasedFiles.public));
  return (document as OpenApiDocument & Released).info['x-changelog'];
}

/** The breaking changes of all APIs since their last release that the changelog does not announce. */
export async function findUnlisted(root: string): Promise<Break[]> {
  const changelog = await readFile(path.join(root, 'CHANGELOG.md'), 'utf8');
  const released = await readReleasedHeadings(root);
  const unlisted: Break[] = [];
  for (const name of publishedApis) {
    const base = await readDocument(path.join(root, releasedFiles[name]));
    const breaks = await findBreaks(base, await readDocument(path.join(root, documentFiles[name])));
    const unsaid = findUnannounced(breaks, changelog, released);
    const announced = `${breaks.length - unsaid.length} of them announced`;
    console.log(`Breaking changes of the ${name} API since its last release: ${breaks.length}, ${announced}`);
    unlisted.push(...unsaid);
  }
  return unlisted;
}

/** Makes the present documents the released ones, each with the headings of the changelog: a later break needs a new entry. */
export async function keepReleased(root: string): Promise<void> {
  const headings = [...entriesOf(await readFile(path.join(root, 'CHANGELOG.md'), 'utf8')).keys()];
  for (const name of publishedApis) {
    const document = await readDocument(path.join(root, documentFiles[name]));
    const released = { ...document, info: { ...document.info, 'x-changelog': headings } };
    await writeFile(path.join(root, releasedFiles[name]), renderReleased(released));
  }
}

async function check(): Promise<void> {
  const unlisted = await findUnlisted(repository);
  if (unlisted.length === 0) return;
  console.error(
    'CHANGELOG.md has no new dated entry with the word **Breaking** that names the operation of:',
  );
  for (const { where, what } of unlisted) console.error(`- \`${where}\`: ${what}`);
  process.exitCode = 1;
}

if (import.meta.main) await check();
