import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findForbidden } from '../words/find.ts';
import { findSentenceProblems } from '../words/sentences.ts';

const insteadIn = (file: string, text: string) => findForbidden(file, text).map(({ instead }) => instead);
const ofProse = 'the words of the glossary';

describe('a forbidden word is found', () => {
  const planted: [place: string, file: string, text: string, instead: string][] = [
    ['in the name of a function', 'a.ts', 'function refuseAll() {}', 'reject, deny, rejection'],
    ['in a parameter', 'a.ts', 'const write = (turn: Write) => turn.id;', 'write'],
    [
      'in a pattern',
      'a.ts',
      'const { id: whose } = write;',
      'the caller, the client, a process, an anonymous client',
    ],
    [
      'in a property',
      'a.ts',
      'export interface Key { readonly toldAt: Date }',
      'record, notify, report, log',
    ],
    [
      'in a private member',
      'a.ts',
      'class Queue { #fairLine = 1 }',
      'queue, fair queue, concurrency limiter',
    ],
    ['in a key of an object', 'a.ts', "const limits = { mostOf: 1, piece: 'a' };", 'chunk'],
    ['in the name of a file', 'src/people/store.ts', '', 'data subject, data-subject request'],
    ['in a column', 'a.sql', 'CREATE TABLE counter (family text)', 'resource type'],
    ['in a metric', 'a.ts', "const name = 'kontor_clockwork_total';", 'scheduled job, background job'],
    ['in a variable of the environment', 'a.ts', "const name = 'KONTOR_TURN_LIMIT';", 'write'],
    ['in a path', 'a.ts', "const path = '/api-key-sights/{id}';", 'scope preview, access'],
    [
      'in a schema',
      'a.ts',
      "const id = { $id: 'DecisionTrial' };",
      'fixture, harness, run, oracle, check, sandbox',
    ],
    ['in a kind', 'a.ts', "type Kind = 'broken-off';", 'aborted, in progress, in flight'],
    ['in a class of a style sheet', 'a.css', '.sight-count { color: red }', 'scope preview, access'],
    ['in a comment', 'a.ts', '// The penance of a client.', ofProse],
    ['in a document', 'README.md', 'A client that loses its keyring.', ofProse],
    ['as a pattern of documents only', 'README.md', 'It loses that\nof another client.', 'the noun again'],
    ['in a message', 'a.ts', "const text = 'A clockwork has failed';", ofProse],
  ];
  for (const [place, file, text, instead] of planted)
    test(place, () =>
      assert.deepEqual(
        insteadIn(file, text).filter(each => each === instead),
        [instead],
      ),
    );

  test('with its line and its name', () => {
    const [found] = findForbidden('a.ts', 'const a = 1;\nconst nextTurn = a;\n');
    assert.equal(`${found?.line} ${found?.text}`, '2 nextTurn');
  });
});

test('a word in its ordinary meaning is no forbidden one', () => {
  const text = `
    const line = 1, column = 2, returnTo = 3, endsWith = 4, lookUp = 5, codeExchange = 6, arrowDown = 7;
    // The line ends; it turns out that nobody may say so.
    const isWithin = (almost: string) => almost.includes('within');`;
  assert.deepEqual(insteadIn('a.ts', text), []);
  assert.deepEqual(
    insteadIn('README.md', 'Besides, too many: the audit log, `nobody`. There is no key.'),
    [],
  );
  assert.deepEqual(insteadIn('a.ts', '// It replaces that of another client.'), []);
  assert.deepEqual(insteadIn('a.sql', 'SELECT least(max(n), 1) -- a note of whose it is'), []);
});

describe('a sentence', () => {
  const problems = (text: string) => [...findSentenceProblems('README.md', text).values()];

  test('of over 30 words is found, also over several lines', () => {
    const words = Array.from({ length: 30 }, () => 'word').join(' ');
    assert.deepEqual(problems(`A ${words}.`), ['has 31 words; at most 30']);
    assert.deepEqual(problems(`${words}.\n\n- ${words.replaceAll('word word', 'word\nword')}`), []);
  });

  test('that begins with a word that asks, and asks nothing, is found', () => {
    assert.equal(problems('Who has lost a session signs in.').length, 1);
    assert.equal(problems('It ends. Of a key the end is known.').length, 1);
    assert.deepEqual(problems('Who may sign in? A user may. Whole tenants, too.'), []);
  });

  test('is read from comments of sources', () => {
    const words = Array.from({ length: 20 }, () => 'word').join(' ');
    const found = findSentenceProblems(
      'a.ts',
      `/**\n * Words ${words}\n * ${words}.\n */\n// What is: a\nconst a = 1;`,
    );
    assert.equal(found.size, 2);
  });
});
