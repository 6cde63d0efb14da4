import { ApiError, type PayrollExportDocument } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import { settingsIn } from '../computation/facts.ts';
import type { Kind } from '../computation/owed.ts';
import { decimalComma, monthAndYear } from '../formats/format.ts';
import {
  expectedWageTypes,
  formatNames,
  generalRules,
  type Language,
  rulesOfFormats,
} from '../formats/recipe.ts';
import type { RunKey } from '../ledger.ts';
import { readTenantName } from '../read.ts';
import { findRun } from '../runs.ts';
import { readSettings } from '../settings.ts';
import { kindNames } from './sheet-file.ts';

interface WageTypeSum {
  readonly kind: Kind;
  readonly wageType: string;
  readonly processingKey: string | null;
  readonly sign: 1 | -1;
  readonly cents: string;
  readonly count: number;
}

const words = {
  en: {
    title: 'What the payroll program must have before the import',
    adviser: 'Adviser',
    client: 'Client',
    payroll: 'Personnel numbers of the payroll system, 1 to 99999',
    company: 'Personnel numbers of the company',
    wageTypes: 'Wage types',
    sum: 'sum',
    amounts: 'amounts',
    key: 'processing key',
    plus: 'booked as plus',
    minus: 'booked as minus',
    rules: 'Rules',
  },
  de: {
    title: 'Was im Lohnprogramm vor dem Import eingerichtet sein muss',
    adviser: 'Berater',
    client: 'Mandant',
    payroll: 'Personalnummern des Lohnprogramms, 1 bis 99999',
    company: 'Personalnummern des Unternehmens',
    wageTypes: 'Lohnarten',
    sum: 'Summe',
    amounts: 'Beträge',
    key: 'Bearbeitungsschlüssel',
    plus: 'gebucht als Plus',
    minus: 'gebucht als Minus',
    rules: 'Regeln',
  },
} as const;

/**
 * Renders what the payroll program must have before it imports the files of a released run.
 * @throws ApiError NOT_FOUND, INVALID_STATE_TRANSITION for a run that is not released
 */
export async function renderRecipe(
  db: Queryable,
  key: RunKey,
  { format, language }: { readonly format: PayrollExportDocument['format']; readonly language: Language },
): Promise<{ readonly fileName: string; readonly bytes: Buffer }> {
  const run = await findRun(db, key);
  if (run.status !== 'released')
    throw new ApiError('INVALID_STATE_TRANSITION', `The run is ${run.status}; only a released run has files`);
  const { organizationId } = key;
  const versions = (await readSettings(db, { organizationId, tenantId: run.tenant }))!;
  const settings = { ...settingsIn(versions, run.period), ...run.head };
  const name = await readTenantName(db, key, run.tenant);
  const sums = await readWageTypes(db, key);
  const text = words[language];
  const lines = [
    `${name}, ${monthAndYear(run.period)}: ${formatNames[format][language]}`,
    text.title,
    '',
    `${text.adviser}: ${settings.adviserNumber ?? '-'}, ${text.client}: ${settings.clientNumber ?? '-'}`,
    text[settings.personnelNumbers],
    '',
    text.wageTypes,
    ...sums.flatMap(sum => wageTypeLines(sum, language)),
    '',
    text.rules,
    ...[...rulesOfFormats[format][language], ...generalRules[language]].map(rule => `- ${rule}`),
  ];
  return {
    fileName: `${language === 'de' ? 'import-hinweise' : 'import-help'}-${run.period}.txt`,
    bytes: Buffer.from(`\uFEFF${lines.map(line => `${line}\r\n`).join('')}`),
  };
}

function wageTypeLines(
  { kind, wageType, processingKey, sign, cents, count }: WageTypeSum,
  language: Language,
) {
  const text = words[language];
  const parts = [
    `${wageType} ${kindNames[language][kind]}`,
    `${text.sum} ${decimalComma(BigInt(cents))} EUR (${count} ${text.amounts})`,
    text[sign === 1 ? 'plus' : 'minus'],
    ...(processingKey === null ? [] : [`${text.key} ${processingKey}`]),
  ];
  return [`- ${parts.join(', ')}`, `  ${expectedWageTypes[kind][language]}`];
}

function readWageTypes(db: Queryable, { organizationId, id }: RunKey): Promise<WageTypeSum[]> {
  return db.rows<WageTypeSum>(sql`
    SELECT kind, wage_type AS "wageType", processing_key AS "processingKey", sign, sum(cents * sign)::text AS cents,
      count(*)::int AS count
    FROM payroll_entry WHERE organization_id = ${organizationId} AND run_id = ${id}
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`);
}
