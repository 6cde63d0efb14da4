import { Checkbox, NativeSelect, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { parseDay } from '../../kit/dates.ts';
import { Fact, Facts } from '../../kit/detail/facts.tsx';
import { DateField } from '../../kit/form/date-field.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { usePayerWords } from '../../kit/hr-words.tsx';
import { DialogButton } from '../../kit/overlay/dialog.tsx';
import { PanelSection } from '../../kit/overlay/side-panel.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { PayEffectForm, PendingCorrections } from '../../kit/pay/effect-view.tsx';
import { leaveChangeOf } from './report.ts';
import type { Incident, IncidentDetails } from './words.tsx';
import { TextArea } from '../../kit/form/limited-fields.tsx';

type Leave = NonNullable<IncidentDetails['leave']>;

interface Props {
  readonly incident: Incident;
  readonly leave: Leave;
}

/** The end of a leave, its payer and the bike, which HR records in each state in which the leave counts. */
export function LeaveSection({ incident, leave }: Props) {
  const payers = usePayerWords();
  const { bikeReturned, payer, comment } = leave;
  return (
    <PanelSection title={<Trans>Leave and payroll</Trans>}>
      {bikeReturned === null && !payer && !comment && (
        <Text size="sm" c="dimmed">
          <Trans>Nothing is recorded yet.</Trans>
        </Text>
      )}
      <Facts>
        {bikeReturned !== null && (
          <Fact name={<Trans>Bike</Trans>}>
            {bikeReturned ? (
              <Trans>Given back for the leave. The taxable benefit is suspended.</Trans>
            ) : (
              <Trans>Stays with the person</Trans>
            )}
          </Fact>
        )}
        {payer && <Fact name={<Trans>Who pays instead</Trans>}>{payers[payer]}</Fact>}
        {comment && <Fact name={<Trans>Comment</Trans>}>{comment}</Fact>}
      </Facts>
      {incident.orderId && <PendingCorrections order={incident.orderId} />}
      <DialogButton
        mt="sm"
        label={<Trans>Record end, bike or payer</Trans>}
        title={<Trans>Leave and payroll</Trans>}
      >
        {close => <LeaveForm incident={incident} leave={leave} close={close} />}
      </DialogButton>
    </PanelSection>
  );
}

function LeaveForm({ incident, leave, close }: Props & { close: () => void }) {
  const { t } = useLingui();
  const payers = usePayerWords();
  const [effectiveTo, setEnd] = useState(incident.effectiveTo ?? '');
  const [facts, setFacts] = useState<Leave>(leave);
  const change = (part: Partial<Leave>) => setFacts(before => ({ ...before, ...part }));
  const isDay = effectiveTo === '' || parseDay(effectiveTo) !== null;
  const isBefore = isDay && effectiveTo !== '' && effectiveTo < incident.effectiveFrom!;
  const action = useAction(
    [['incidents'], ['payroll']],
    () =>
      ask('POST /incidents/{id}/leave', {
        id: incident.id,
        body: { ...facts, comment: facts.comment?.trim() || null, effectiveTo: effectiveTo || null },
      }),
    () => {
      close();
      confirmDone(t`The changes are saved.`);
    },
  );
  return (
    <PayEffectForm
      order={incident.orderId}
      change={isDay && !isBefore ? leaveChangeOf({ ...incident, effectiveTo }, facts.bikeReturned) : null}
      action={action}
      close={close}
      submit={<Trans>Save</Trans>}
    >
      <DateField
        label={t`Last day of the leave`}
        value={effectiveTo}
        error={isBefore ? t`The last day must not be before the first day.` : undefined}
        onChange={setEnd}
      />
      <Checkbox
        label={t`The bike was given back for the leave`}
        description={t`Then the taxable benefit is suspended as well.`}
        checked={facts.bikeReturned === true}
        onChange={({ currentTarget }) => change({ bikeReturned: currentTarget.checked })}
      />
      <NativeSelect
        label={t`Who pays instead`}
        description={t`A note: nothing is deducted by it.`}
        value={facts.payer ?? ''}
        data={[
          { value: '', label: t`As in the payroll settings` },
          ...Object.entries(payers).map(([value, label]) => ({ value, label })),
        ]}
        onChange={({ currentTarget }) => change({ payer: (currentTarget.value || null) as Leave['payer'] })}
      />
      <TextArea
        label={t`Comment`}
        limit={1000}
        value={facts.comment ?? ''}
        onChange={({ currentTarget }) => change({ comment: currentTarget.value })}
      />
    </PayEffectForm>
  );
}
