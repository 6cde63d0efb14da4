import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import type { AnswerOf } from '../../api/ask.ts';
import { monthName } from '../../kit/dates.ts';
import { useKindWords } from '../../kit/hr-words.tsx';
import { money } from '../../kit/numbers.ts';
import type { Stored } from './payroll-values.ts';

export type Preview = AnswerOf<'POST /tenants/{id}/payroll-settings/preview'>;

/** The month that changes begin with. Empty: the service chooses the month after the last released one. */
export function MonthField({
  stored,
  from,
  change,
}: {
  stored: Stored;
  from: string;
  change: (from: string) => void;
}) {
  const { t } = useLingui();
  const months = stored.versions.map(version => monthName(version.from)).join(', ');
  return (
    <Stack gap="xs">
      <TextInput
        type="month"
        label={t`Changes apply from`}
        description={t`Empty: from the month after the last released one. Changes replace the settings of later months`}
        placeholder="2026-11"
        value={from}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      {stored.versions.length > 1 && (
        <Text size="xs" c="dimmed">
          <Trans>There are settings from: {months}. These are the latest.</Trans>
        </Text>
      )}
    </Stack>
  );
}

/** Shows what a change would correct in released months, before it is saved. */
export function ReleasedDifferences({
  preview,
  busy,
  save,
}: {
  preview: Preview;
  busy: boolean;
  save: () => void;
}) {
  const kinds = useKindWords();
  return (
    <Alert color="yellow" title={<Trans>This changes released months</Trans>}>
      <ul>
        {preview.differences.map(({ month, kind, persons, difference }) => {
          const [name, sum] = [monthName(month), money(difference, 'EUR')];
          return (
            <li key={`${month} ${kind}`}>
              {`${name}: ${kinds[kind]}, ${sum}, `}
              <Plural value={persons} one="# person" other="# people" />
            </li>
          );
        })}
      </ul>
      <Text size="sm" mb="sm">
        <Trans>
          The next run corrects these months. Choose a later month above to leave them as they are.
        </Trans>
      </Text>
      <Button variant="default" loading={busy} onClick={save}>
        <Trans>Save and change released months</Trans>
      </Button>
    </Alert>
  );
}
