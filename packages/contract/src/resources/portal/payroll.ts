import Type, { type Static } from 'typebox';
import { Integer, NamedObject, nullable, Period, Text, Values } from '../../schema.ts';
import { Money } from '../money.ts';
import { payrollKinds, PayrollSettingsInput } from '../platform/payroll.ts';
import { payrollFormats } from '../public/payroll-export-document.ts';

const settings = PayrollSettingsInput.properties;

export const PayrollSettingsChange = NamedObject(
  'PayrollSettingsChange',
  'The settings as a whole, in place of those that the user has read',
  {
    ...settings,
    expectedVersion: Type.Optional(
      Integer(
        '`version` of the settings as the user has read them; 0: there were none. The change is rejected if another one came between',
        1,
        { minimum: 0 },
      ),
    ),
  },
);
export type PayrollSettingsChange = Static<typeof PayrollSettingsChange>;

export const PayrollTestFileInput = NamedObject('PayrollTestFileInput', 'Amounts of one person as a test', {
  settings: PayrollSettingsInput,
  format: Values('PayrollExportFormat', payrollFormats, 'Format of a payroll file'),
  period: Period('Month of the amounts'),
  personnelNumber: Text('Number of the person in the payroll system', '99999', {
    minLength: 1,
    maxLength: 64,
  }),
  costCenter: nullable(Text('Cost center; null: none', '4711', { minLength: 1, maxLength: 36 })),
  amounts: Type.Array(
    NamedObject('PayrollTestAmount', 'An amount of a kind', {
      kind: Values('PayrollKind', payrollKinds, 'Kind of an amount'),
      amount: Money(2, 'Amount, without the sign of the settings'),
    }),
    { minItems: 1, maxItems: 10, description: 'Lines of the file' },
  ),
});
export type PayrollTestFileInput = Static<typeof PayrollTestFileInput>;
