// cspell:ignore Personalnr
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  choicesFor,
  choose,
  type Chosen,
  isGuess,
  isUnchanged,
  mappingOf,
} from '../src/features/imports/choices.ts';

type Proposal = Parameters<typeof choicesFor>[0];
type Field = Proposal['mapping']['columns'][number]['field'];

/** A proposal of columns: `name` or `name=field`; `~` marks one by similarity. */
function proposalOf(headerRow: number, ...columns: readonly string[]): Proposal {
  const parsed = columns.map(column => /^([^=~]*)(?:([=~])(.+))?$/.exec(column)!.slice(1));
  return {
    columns: parsed.map(([name, sign]) => ({
      name: name!,
      samples: [],
      isExact: sign === undefined ? null : sign === '=',
    })),
    mapping: {
      headerRow,
      matchBy: 'email',
      columns: parsed.flatMap(([, , field], column) =>
        field === undefined ? [] : [{ column, field: field as Field, emptyClears: false }],
      ),
    },
  };
}

const none: Chosen = new Map();
const city = { field: 'city', emptyClears: true } as const;
const fieldsOf = (proposal: Proposal, chosen: Chosen) =>
  choicesFor(proposal, chosen).map(({ field }) => field);

test('without a choice, the fields are the proposed ones', () => {
  const proposal = proposalOf(1, 'Mail=email', 'Team');
  assert.deepEqual(fieldsOf(proposal, none), ['email', '']);
  assert.ok(isUnchanged(proposal.mapping, choicesFor(proposal, none)));
});

test('a chosen field leaves the column that had it, whether it was chosen or proposed', () => {
  const proposal = proposalOf(1, 'Ort=city', 'Stadt', 'Wohnort');
  const first = choose(none, proposal, 1, city);
  assert.deepEqual(fieldsOf(proposal, first), ['', 'city', '']);
  assert.deepEqual(fieldsOf(proposal, choose(first, proposal, 2, city)), ['', '', 'city']);
});

test('another header keeps the choices of columns with the same name, and returns to those of the first', () => {
  const third = proposalOf(3, 'Personalnr.~employeeNumber', 'Team', 'Ort');
  const fourth = proposalOf(4, '7001', 'Team', 'Berlin');
  const chosen = choose(choose(none, third, 1, city), third, 2, { field: 'street', emptyClears: false });
  assert.deepEqual(fieldsOf(fourth, chosen), ['', 'city', '']);
  assert.deepEqual(fieldsOf(third, chosen), ['employeeNumber', 'city', 'street']);
});

test('a choice for another header does not give a field to two columns of the first', () => {
  const third = proposalOf(3, 'Team', 'Ort');
  const fourth = proposalOf(4, 'Nord', 'Berlin');
  const chosen = choose(choose(none, third, 0, city), fourth, 1, city);
  assert.deepEqual(fieldsOf(fourth, chosen), ['', 'city']);
  assert.deepEqual(fieldsOf(third, chosen), ['', '']);
});

test('a proposal by similarity is a guess until the user chooses the field of its column', () => {
  const proposal = proposalOf(1, 'Personalnr.~employeeNumber', 'Ort=city', 'Team');
  assert.deepEqual(
    proposal.columns.map((_, index) => isGuess(proposal, none, index)),
    [true, false, false],
  );
  const chosen = choose(none, proposal, 0, { field: 'employeeNumber', emptyClears: false });
  assert.ok(!isGuess(proposal, chosen, 0));
});

test('the sent mapping has the imported columns, and never clears the key', () => {
  const choices = [city, { field: '', emptyClears: false }, { field: 'email', emptyClears: true }] as const;
  assert.deepEqual(mappingOf(choices, { headerRow: null, matchBy: 'email' }), {
    headerRow: null,
    matchBy: 'email',
    columns: [
      { column: 0, field: 'city', emptyClears: true },
      { column: 2, field: 'email', emptyClears: false },
    ],
  });
});
