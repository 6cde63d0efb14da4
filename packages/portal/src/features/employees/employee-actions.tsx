import { Trans, useLingui } from '@lingui/react/macro';
import { ask } from '../../api/ask.ts';
import { LinkButton } from '../../kit/navigation/link-button.tsx';
import { useMayChange } from '../../kit/form/may-change.ts';
import { ConfirmButton } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { BlockButton } from './blocking.tsx';
import { employeeChanges, type EmployeeDetails } from './words.tsx';

interface Props {
  readonly details: EmployeeDetails;
  readonly name: string;
}

/** Activates, blocks and unblocks an employee. */
export function EmployeeActions({ details: { employee, activatedAt }, name }: Props) {
  const { t } = useLingui();
  const { id, blocked } = employee;
  const mayChange = useMayChange();
  return (
    <>
      {mayChange && (
        <LinkButton to="/employees/$id/departure" params={{ id }} variant="default">
          <Trans>Record a departure</Trans>
        </LinkButton>
      )}
      <ConfirmButton
        label={<Trans>Activate</Trans>}
        title={t`Activate the person?`}
        isShown={activatedAt === null}
        changes={employeeChanges}
        action={() => ask('POST /employees/{id}/activation', { id })}
        done={() => confirmDone(t`Person activated`)}
      >
        <Trans>
          After that, incidents of {name} can be reported and orders approved. An activation cannot be undone.
        </Trans>
      </ConfirmButton>
      <BlockButton id={id} blocked={blocked} />
    </>
  );
}
