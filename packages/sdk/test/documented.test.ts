import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { parseSync } from 'oxc-parser';

const source = new URL('../src/', import.meta.url);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly key?: { readonly name?: string; readonly type: string };
  readonly accessibility?: string;
  readonly override?: boolean;
  readonly value?: { readonly body?: unknown };
  readonly id?: { readonly name: string } | null;
  readonly declaration?: Node | null;
  readonly body?: Node | { readonly body: readonly Node[] } | readonly Node[];
}

/** The exported declarations of a file, and the members of classes and interfaces among them; each with its comment, or null. */
function listDeclared(text: string): { name: string; comment: string | null }[] {
  const { program, comments } = parseSync('file.ts', text) as unknown as {
    program: { body: readonly Node[] };
    comments: readonly { type: string; value: string; end: number }[];
  };
  const commentOf = (start: number) =>
    comments.find(({ type, end }) => type === 'Block' && /^\s*$/.test(text.slice(end, start)))?.value ?? null;
  const declared: { name: string; comment: string | null }[] = [];
  for (const statement of program.body) {
    const { declaration } = statement;
    if (statement.type !== 'ExportNamedDeclaration' || !declaration) continue;
    const owner = declaration.id?.name ?? '';
    if (/Class|Interface/.test(declaration.type)) {
      declared.push({ name: owner, comment: commentOf(statement.start) });
      for (const member of (declaration.body as { body: readonly Node[] }).body) {
        const { key, accessibility } = member;
        // Overloads have the comments, not the method that implements them.
        const isOverloaded = declared.some(({ name }) => name === `${owner}.${key?.name}`);
        if (key?.name === undefined || key.type === 'PrivateIdentifier' || accessibility !== undefined)
          continue;
        if (key.name === 'constructor' || (member.value?.body && isOverloaded)) continue;
        declared.push({ name: `${owner}.${key.name}`, comment: commentOf(member.start) });
      }
    }
  }
  return declared;
}

describe('every exported class, interface and member has a text for the hover', async () => {
  for await (const file of glob('**/*.ts', { cwd: source }))
    test(file, async () => {
      const declared = listDeclared(await readFile(new URL(file, source), 'utf8'));
      // The contract has its texts from its own descriptions; the list of operations is not exported by the package.
      const internal =
        /^(Operations|Transport|Prepared|Pacer|Proof|Settings|Call|Multipart|PageSource|AnswerSource|AttemptOptions)\b/;
      const undocumented = declared.filter(
        ({ name, comment }) => !internal.test(name) && !comment?.startsWith('*'),
      );
      const fields = undocumented.filter(
        ({ name }) => file !== 'contract.ts' || !/\.(kind|status|format|type|decision|source)$/.test(name),
      );
      assert.deepEqual(
        fields.map(({ name }) => name),
        [],
      );
    });
});

test('every option names its default', async () => {
  for (const [file, names] of Object.entries({
    'options.ts': /^(RequestOptions|WriteOptions|KontorOptions)\./,
    'list.ts': /^ListOptions\./,
    'changes.ts': /^ChangesOptions\.pageSize$/,
    'upload.ts': /^UploadOptions\./,
    'outcome.ts': /^ReconcileOptions\./,
  })) {
    const declared = listDeclared(await readFile(new URL(file, source), 'utf8'));
    for (const { name, comment } of declared)
      if (names.test(name)) assert.match(comment ?? '', /Default: /, name);
  }
});
