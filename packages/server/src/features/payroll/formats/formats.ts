import type { PayrollExportDocument } from '@kontor/contract';
import { csvFormat } from './csv.ts';
import type { Format } from './format.ts';
import { lodasFormat } from './lodas.ts';
import { lugFormat } from './lug.ts';

export const formats: Readonly<Record<PayrollExportDocument['format'], Format>> = {
  csv: csvFormat,
  datev_lodas: lodasFormat,
  datev_lug: lugFormat,
};
