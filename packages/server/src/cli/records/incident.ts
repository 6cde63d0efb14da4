import { payrollPayers } from '@kontor/contract';
import { oneOf } from '../../config.ts';
import { leaveRecord } from '../../features/incidents/routes.ts';
import { callOf, operator, Writes } from '../../write/writes.ts';
import { findDocument } from '../organization/store.ts';
import { argument, CommandError, defineDatabaseCommand, option } from '../program/command.ts';
import { sheet } from '../program/output.ts';
import { parseId } from '../program/values.ts';

/** Takes a value back. */
const none = 'none';

const parseBike = oneOf(['returned', 'kept', none] as const);
const bikeOf = { returned: true, kept: false, [none]: null } as const;

export const incidentLeave = defineDatabaseCommand({
  summary: 'Record the end of a leave, who pays the rate, and whether the bike was given back',
  example: 'incident leave 64b7e3f0a1c2d3e4f5a6b7c8 --last-day 2027-01-31',
  input: {
    id: argument('<id>', 'The incident', parseId),
    lastDay: option('--last-day <day>', `The last day of the leave, YYYY-MM-DD, or ${none}`, parseDay),
    bike: option('--bike <place>', `returned, kept or ${none}`, parseBike),
    payer: option(
      '--payer <payer>',
      `One of ${payrollPayers.join(', ')}, or ${none}: as the settings say`,
      oneOf([...payrollPayers, none] as const),
    ),
    comment: option('--comment <comment>', `At most 1,000 characters, or ${none}`, parseComment),
  },
  check({ lastDay, bike, payer, comment }) {
    if ([lastDay, bike, payer, comment].every(value => value === undefined))
      throw new CommandError('give --last-day, --bike, --payer or --comment');
  },
  async run({ db }, { id, lastDay, bike, payer, comment }) {
    const { organizationId } = await findDocument(db, { table: 'incident', noun: 'incident' }, id);
    const body = {
      ...(lastDay !== undefined && { effectiveTo: orNull(lastDay) }),
      ...(bike !== undefined && { bikeReturned: bikeOf[bike] }),
      ...(payer !== undefined && { payer: orNull(payer) }),
      ...(comment !== undefined && { comment: orNull(comment) }),
    };
    const scope = { organizationId, callerId: operator.actor.id, grants: 'all' } as const;
    const call = { ...callOf(organizationId, operator), scope, tenant: null, parameters: { id }, body };
    const { incident, ...leave } = await new Writes(db).decide(call, leaveRecord);
    const { incidentNumber, type, effectiveFrom, effectiveTo } = incident;
    return {
      json: { incident, ...leave },
      text: sheet({ incident: incidentNumber, type, effectiveFrom, effectiveTo, ...leave }),
    };
  },
});

function orNull<Value extends string>(value: Value): Exclude<Value, 'none'> | null {
  return value === none ? null : (value as Exclude<Value, 'none'>);
}

function parseDay(text: string): string {
  if (text === none) return text;
  const day = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(`${text}T`))
    throw new CommandError('expected a day such as 2027-01-31, or none');
  return text;
}

function parseComment(text: string): string {
  if (text.trim() === '' || text.length > 1000) throw new CommandError('expected 1 to 1,000 characters');
  return text;
}
