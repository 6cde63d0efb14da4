import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { tenantsQuery } from '../../api/queries.ts';
import { TextField } from '../../kit/form/limited-fields.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { DialogButton, DialogForm } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';

interface Company {
  readonly id: string;
  readonly name: string;
}

/** Gives a company another name. */
export function RenameButton({ company }: { company: Company }) {
  const { t } = useLingui();
  return (
    <DialogButton label={<Trans>Rename</Trans>} title={t`Rename company`}>
      {close => <RenameForm company={company} close={close} />}
    </DialogButton>
  );
}

function RenameForm({ company: { id, name: before }, close }: { company: Company; close: () => void }) {
  const { t } = useLingui();
  const [name, setName] = useState(before);
  const action = useAction(
    [['companies'], tenantsQuery.queryKey],
    () => ask('PATCH /tenants/{id}', { id, body: { name: name.trim() } }),
    () => {
      close();
      confirmDone(t`Changes saved`);
    },
  );
  return (
    <DialogForm
      action={action}
      close={close}
      submit={<Trans>Save</Trans>}
      isDisabled={name.trim() === '' || name.trim() === before}
    >
      <TextField
        label={t`Name`}
        description={t`The ID stays, so API clients need no change`}
        autoComplete="off"
        required
        limit={200}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </DialogForm>
  );
}
