import { type PayrollReceipt, type PayrollReceivable, payrollKinds } from '@kontor/contract';
import type { Scope } from '../../auth/scope.ts';
import { oneOf } from '../../config.ts';
import { acknowledge } from '../../features/payroll/acknowledge.ts';
import { lugImportDescription } from '../../features/payroll/formats/lug.ts';
import { explain } from '../../features/payroll/explain.ts';
import { readAllReceivables } from '../../features/payroll/settlements/receivables.ts';
import { settle } from '../../features/payroll/settlements/settle.ts';
import { amount, cents } from '../../lib/money.ts';
import { operator, writeAsOperator } from '../../write/writes.ts';
import { findDocument, findOrganizationOfTenant } from '../organization/store.ts';
import {
  argument,
  attentionCode,
  CommandError,
  defineCommand,
  defineDatabaseCommand,
  option,
  requiredOption,
} from '../program/command.ts';
import { writeWhole } from '../../lib/draft-file.ts';
import { checkIsNew } from '../program/files.ts';
import { listTable } from '../program/output.ts';
import { parseId, parsePeriod, tenantOption } from '../program/values.ts';
import { findRunKey } from './work.ts';
import { kindWords, ruleWords } from './words.ts';

export const payrollExplain = defineDatabaseCommand({
  summary: 'Explain every exported or open amount of an employee for a month',
  example: 'payroll explain --employee 64b7e3f0a1c2d3e4f5a6b7c8 --period 2026-11',
  input: {
    employee: requiredOption('--employee <id>', 'The employee', parseId),
    period: requiredOption('--period <period>', 'The month of the run, YYYY-MM', parsePeriod),
  },
  async run({ db }, { employee: employeeId, period }) {
    const found = await findDocument(db, { table: 'employee', noun: 'employee' }, employeeId);
    const { organizationId, document } = found;
    const { tenant: tenantId, firstName, lastName } = document as Record<string, string | null>;
    const employee = { organizationId, employeeId, tenantId: tenantId! };
    const explanation = await explain(db, employee, { period, now: new Date() });
    const name = [firstName, lastName].filter(part => part !== null).join(' ') || employeeId;
    const { receipts } = explanation;
    const text =
      receipts.length === 0
        ? `${name} has no amounts in ${period}`
        : [`${name}, payroll of ${period}`, ...receipts.map(receiptText)].join('\n\n');
    return { json: explanation, text };
  },
});

function receiptText(receipt: PayrollReceipt): string {
  const {
    month,
    kind,
    contractNumber,
    orderId,
    amount: exported,
    owed,
    reason,
    meaning,
    wageType,
    costCenter,
  } = receipt;
  const contract = contractNumber === null ? `order ${orderId}` : `contract ${contractNumber}`;
  const before = cents(owed) - cents(exported);
  const details = [
    ...(receipt.computation ? [`owed for ${month}: ${computationText(receipt.computation, owed)}`] : []),
    ...(receipt.source !== 'settled' && before !== 0n
      ? [`exported or settled before: ${amount(before)}, so the difference is ${exported}`]
      : []),
    `${meaning === null ? sourceWords[receipt.source] : meaningWords[meaning]}${receipt.runId === null ? '' : ` ${receipt.runId}`}`,
    ...(wageType === null
      ? []
      : [`wage type ${wageType}, ${costCenter === null ? 'no cost centre' : `cost centre ${costCenter}`}`]),
    ...(reason === null ? [] : [`reason: ${reason}`]),
  ];
  return [
    `${exported} EUR  ${kindWords[kind]} for ${month}, ${contract}`,
    ...details.map(line => `  ${line}`),
  ].join('\n');
}

const sourceWords: Readonly<Record<PayrollReceipt['source'], string>> = {
  run: 'exported by run',
  settled: 'settled outside',
  open: 'not exported yet',
};

const meaningWords = { paid_elsewhere: 'paid elsewhere', not_owed: 'recorded as not owed' } as const;

function computationText(
  { rule, rate, daysOfMonth, contractDays, suspendedDays }: NonNullable<PayrollReceipt['computation']>,
  owed: string,
): string {
  const suspended = suspendedDays === 0 ? '' : `, ${suspendedDays} of them suspended`;
  return `${owed} of ${rate} a month; ${ruleWords[rule]} (${contractDays} of ${daysOfMonth} days${suspended})`;
}

export const payrollReceivables = defineDatabaseCommand({
  summary: 'List the open amounts that no payroll file of a tenant contains; each needs a settlement',
  example: 'payroll receivables --tenant 64b7e3f0a1c2d3e4f5a6b7c8',
  input: { tenant: tenantOption },
  async run({ db }, { tenant: tenantId }) {
    const organizationId = await findOrganizationOfTenant(db, tenantId);
    const items: PayrollReceivable[] = [];
    for await (const page of readAllReceivables(db, scopeOf(organizationId), tenantId)) items.push(...page);
    const text = listTable(items, 'Every open amount is in a file or settled', {
      order: ({ orderId }) => orderId,
      person: ({ employeeName }) => employeeName,
      number: ({ personnelNumber }) => personnelNumber,
      month: ({ month }) => month,
      kind: ({ kind }) => kindWords[kind],
      amount: ({ amount }) => amount,
      reason: ({ code, field }) => (field === null ? code : `${code} (${field})`),
    });
    return { json: { items }, text, exitCode: items.length > 0 ? attentionCode : 0 };
  },
});

/** Max characters of a reason. */
const maxReason = 500;

export const payrollSettle = defineDatabaseCommand({
  summary: 'Record that an amount was paid elsewhere or is not owed, so that no run exports it',
  example:
    'payroll settle --order 64b7e3f0a1c2d3e4f5a6b7c8 --month 2025-03 --kind salary_conversion --meaning paid_elsewhere --reason "Paid back by bank transfer"',
  input: {
    order: requiredOption('--order <id>', 'The order', parseId),
    month: requiredOption('--month <month>', 'The month that is owed, YYYY-MM', parsePeriod),
    kind: requiredOption('--kind <kind>', `One of ${payrollKinds.join(', ')}`, oneOf(payrollKinds)),
    meaning: requiredOption(
      '--meaning <meaning>',
      'paid_elsewhere: no later run pays it out; not_owed: ends when nothing is owed',
      oneOf(['paid_elsewhere', 'not_owed'] as const),
    ),
    amount: option('--amount <amount>', 'In EUR, e.g. 89.53 (default: all that is open)', parseAmount),
    reason: requiredOption('--reason <reason>', 'Why, for the receipt', parseReason),
  },
  async run({ db }, { order: orderId, amount, ...wanted }) {
    const { organizationId } = await findDocument(db, { table: 'employee_order', noun: 'order' }, orderId);
    const scope = scopeOf(organizationId);
    const settlement = await writeAsOperator(db, organizationId, (write, session) =>
      settle(write, session, {
        scope,
        orderId,
        ...wanted,
        ...(amount !== undefined && { amount }),
      }),
    );
    const text = `Settled ${settlement.amount} EUR of ${kindWords[settlement.kind]} for ${settlement.month}`;
    return { json: settlement, text };
  },
});

function scopeOf(organizationId: string): Scope {
  return { organizationId, callerId: operator.actor.id, grants: 'all' };
}

function parseAmount(text: string): string {
  if (!/^-?(0|[1-9][0-9]{0,11})\.[0-9]{2}$/.test(text) || /^-?0\.00$/.test(text))
    throw new CommandError('expected an amount with two decimals such as 89.53, and not 0.00');
  return text;
}

function parseReason(text: string): string {
  if (text.trim() === '' || text.length > maxReason)
    throw new CommandError(`expected 1 to ${maxReason} characters`);
  return text;
}

export const payrollAcknowledge = defineDatabaseCommand({
  summary: 'Answer a question of a draft, so that no later run asks it again',
  example: 'payroll acknowledge 64b7e3f0a1c2d3e4f5a6b7c8 12 --reason "She gives the bike back in January"',
  input: {
    run: argument('<run>', 'The payroll run', parseId),
    finding: argument('<question>', 'The number of the question in its report', parseNumber),
    reason: requiredOption('--reason <reason>', 'Why, for later readers', parseReason),
  },
  async run({ db }, { run: id, ...answer }) {
    const { organizationId } = await findRunKey(db, id);
    const answered = await writeAsOperator(db, organizationId, (write, session) =>
      acknowledge(write, session, id, answer),
    );
    return { json: answered, text: `Answered question ${answer.finding} of payroll run ${id}` };
  },
});

function parseNumber(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new CommandError('expected a number such as 12');
  return Number(text);
}

export const payrollImportDescription = defineCommand({
  summary: 'Write the description (INI) that DATEV Lohn und Gehalt needs once to import the files',
  example: 'payroll import-description import.ini',
  input: { file: argument('<file>', 'The new file') },
  settings: [],
  async run(_context, { file }) {
    await checkIsNew(file);
    await writeWhole(file, lugImportDescription);
    return { json: { file }, text: `Wrote ${file}` };
  },
});
