import { Group, List, Stack, Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useAnswer } from '../../api/answer.ts';
import { ask, download } from '../../api/ask.ts';
import { employeeErasureQuery, identityQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { day, isPast } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { DownloadButton } from '../../kit/download-button.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { DialogButton, DialogForm } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { visibleText } from '../../kit/person.ts';
import type { EmployeeDetails, Erasure } from './words.tsx';

interface Props {
  readonly details: EmployeeDetails;
  readonly name: string;
}

/** Export and erasure of the data of a person. */
export function PersonalData({ details, name }: Props) {
  const { data: identity } = useQuery(identityQuery);
  const mayRequest = identity?.user.permissions.includes('COMPANY_ADMIN') === true;
  const { id } = details.employee;
  return (
    <>
      <Export id={id} mayRequest={mayRequest} />
      <Erase details={details} name={name} mayRequest={mayRequest} />
    </>
  );
}

function NeedsAdmin() {
  return (
    <Text size="sm" c="dimmed">
      <Trans>A company admin with the permission HR for this company can do this.</Trans>
    </Text>
  );
}

function Export({ id, mayRequest }: { id: string; mayRequest: boolean }) {
  const { t } = useLingui();
  return (
    <Section title={t`Export personal data`}>
      <Stack>
        <Text>
          <Trans>
            The file contains everything that is stored about the person: data, history, orders, incidents,
            payroll amounts and documents. The audit log records the export.
          </Trans>
        </Text>
        {mayRequest ? (
          <DownloadButton save={() => download('GET /employees/{id}/export', { id })}>
            <Trans>Download the export</Trans>
          </DownloadButton>
        ) : (
          <NeedsAdmin />
        )}
      </Stack>
    </Section>
  );
}

function Erase({ details, name, mayRequest }: Props & { mayRequest: boolean }) {
  const { t } = useLingui();
  const { id } = details.employee;
  const isErased = details.erasedAt !== null;
  return (
    <Section title={t`Erase personal data`}>
      <Answered answer={useAnswer(employeeErasureQuery(id))} height={120}>
        {erasure => (
          <Stack>
            {isErased ? (
              <Text>
                <Trans>If other systems have sent data of this person since then, erase them again.</Trans>
              </Text>
            ) : (
              <Text>
                <Trans>
                  Names, addresses, history, texts and files are deleted for good. Numbers, states and sums
                  stay for the accounts.
                </Trans>
              </Text>
            )}
            {(isErased || erasure.payrollKeptUntil !== null) && (
              <Text>
                <KeptByPayroll {...erasure} />
              </Text>
            )}
            {!erasure.possible && <Holds erasure={erasure} />}
            {!mayRequest && <NeedsAdmin />}
            {erasure.possible && mayRequest && (
              <Group>
                <DialogButton
                  label={isErased ? <Trans>Erase again</Trans> : <Trans>Erase personal data</Trans>}
                  title={isErased ? t`Erase data that came later?` : t`Erase the data of ${name}?`}
                  c="var(--mantine-color-error)"
                >
                  {close => <EraseForm id={id} name={isErased ? null : name} close={close} />}
                </DialogButton>
              </Group>
            )}
          </Stack>
        )}
      </Answered>
    </Section>
  );
}

/** `name`: what is typed to confirm. The name of an erased person is not known. */
function EraseForm({ id, name, close }: { id: string; name: string | null; close: () => void }) {
  const { t } = useLingui();
  const erasing = useAction(
    [['employees'], ['orders'], ['incidents'], ['due-data']],
    () => ask('POST /employees/{id}/erasure', { id }),
    () => {
      close();
      confirmDone(t`The data of the person are erased.`);
    },
  );
  return (
    <DialogForm
      action={erasing}
      close={close}
      submit={<Trans>Erase permanently</Trans>}
      isDangerous
      isCareful={name === null}
      typed={
        name !== null && {
          label: t`Type the name to confirm: ${name}`,
          isRight: text => visibleText(text) === visibleText(name),
        }
      }
    >
      <Text size="sm">
        <Trans>This cannot be undone. Systems that read the employee receive the erased state.</Trans>
      </Text>
    </DialogForm>
  );
}

/** Why the data cannot be erased yet, and the first possible day. */
function Holds({ erasure: { holds, possibleFrom } }: { erasure: Erasure }) {
  const words = useHoldWords();
  return (
    <div>
      <Text fw={600}>
        {possibleFrom === null ? (
          <Trans>The data cannot be erased now.</Trans>
        ) : (
          <Trans>The data can be erased from {day(possibleFrom)}.</Trans>
        )}
      </Text>
      <List size="sm">
        {holds.map(hold => (
          <List.Item key={`${hold.kind} ${hold.subject}`}>{words(hold)}</List.Item>
        ))}
      </List>
    </div>
  );
}

function useHoldWords(): (hold: Erasure['holds'][number]) => string {
  const { t } = useLingui();
  return ({ kind, subject, until }) => {
    const end = until === null ? '' : day(until);
    switch (kind) {
      case 'open_order':
        return until === null
          ? t`Order ${subject} is not closed.`
          : t`Order ${subject} is not closed. Its vouchers are kept until ${end}.`;
      case 'order_vouchers':
        return t`The vouchers of order ${subject} are kept until ${end}.`;
      case 'recent_order':
        return t`Order ${subject} is kept until ${end}.`;
      case 'incident_in_progress':
        return t`Incident ${subject} is in progress.`;
      case 'recent_incident':
        return t`Incident ${subject} is kept until ${end}.`;
      case 'payroll':
        return t`Payroll amounts of the person are kept until ${end}.`;
    }
  };
}

/** The amounts that payroll keeps beyond an erasure, and the end of their retention. */
export function KeptByPayroll({ payrollEntries, payrollKeptUntil }: Erasure) {
  if (payrollKeptUntil === null) return <Trans>There are no payroll amounts of this person.</Trans>;
  const until = day(payrollKeptUntil);
  return (
    <>
      <Trans>
        The payroll ledger and the files of released months keep{' '}
        <Plural value={payrollEntries} one="# amount" other="# amounts" /> of this person, even after an
        erasure.
      </Trans>{' '}
      {isPast(payrollKeptUntil) ? (
        <Trans>Their retention ended on {until}.</Trans>
      ) : (
        <Trans>Their retention ends on {until}.</Trans>
      )}
    </>
  );
}
