import type { Fragment } from '../../../src/db/sql.ts';
import { ServerSession } from '../../../src/db/session.ts';

/** The texts of statements that were sent in this process, by the database that they went to. */
const sent = new Map<string, Set<string>>();

/** Statements that a test has written itself, to look at what the service does. */
const ofTests = new WeakSet<Fragment>();

/** Says that a statement is one of a test, and answers it. */
export function ofTest(statement: Fragment): Fragment {
  ofTests.add(statement);
  return statement;
}

/** The texts of statements that the code under test has sent to a database, each once; afterwards they are forgotten. */
export function takeSent(databaseName: string): string[] {
  const texts = [...(sent.get(databaseName) ?? [])];
  sent.delete(databaseName);
  return texts;
}

const send = ServerSession.prototype.send;

/** Every statement goes this way, whatever sends it. Those of migrations are meant for all rows. */
ServerSession.prototype.send = function (statement, how) {
  const { connectionParameters } = this as unknown as { connectionParameters: { application_name: string } };
  const isMigration = connectionParameters.application_name === 'kontor migration';
  if (!isMigration && !ofTests.has(statement)) {
    const texts = sent.get(this.database!) ?? new Set();
    sent.set(this.database!, texts.add(statement.text));
  }
  return send.call(this, statement, how);
};
