import type { Division } from '@kontor/contract';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { useAction } from '../../kit/form/use-action.ts';
import { Dialog, DialogForm } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { changeRejected } from './use-moves.tsx';
import { TextField } from '../../kit/form/limited-fields.tsx';

/** The purpose of the form: a new division below another one or at the top level (null), or changes of one as the user has read it. */
export type Edited = { readonly below: Division | null } | { readonly division: Division };

interface Props {
  readonly tenant: string;
  /** Undefined: the dialog is closed. */
  readonly edited: Edited | undefined;
  readonly close: () => void;
  readonly done: (id: string) => void;
}

/** Creates a division, or changes its name and cost centre. */
export function DivisionDialog({ edited, close, ...more }: Props) {
  const { t } = useLingui();
  const title =
    edited && 'division' in edited
      ? t`Edit division`
      : edited?.below
        ? t`New division below`
        : t`New division`;
  return (
    <Dialog opened={edited !== undefined} close={close} title={title}>
      {edited && <DivisionForm edited={edited} close={close} {...more} />}
    </Dialog>
  );
}

function DivisionForm({ tenant, edited, close, done }: Props & { edited: Edited }) {
  const { t } = useLingui();
  const before = 'division' in edited ? edited.division : undefined;
  const below = 'below' in edited ? edited.below : null;
  const parent = below?.name;
  const [name, setName] = useState(before?.name ?? '');
  const [costCenter, setCostCenter] = useState(before?.costCenter ?? '');
  const action = useAction(
    [['divisions', tenant]],
    () => {
      const fields = { name: name.trim(), costCenter: costCenter.trim() || null };
      // A name from an API may have characters that are rejected here.
      const changed = before?.name === name ? { costCenter: fields.costCenter } : fields;
      const sent = before
        ? ask('PATCH /divisions/{id}', {
            id: before.id,
            body: { expectedUpdatedAt: before.updatedAt, ...changed },
          })
        : ask('POST /divisions', { body: { ...fields, parentId: below?.id ?? null }, tenant });
      return sent.catch(changeRejected);
    },
    ({ id }) => {
      close();
      confirmDone(before ? t`Changes saved` : t`Division created`);
      done(id);
    },
  );
  return (
    <DialogForm
      action={action}
      close={close}
      submit={before ? <Trans>Save</Trans> : <Trans>Create</Trans>}
      isDisabled={name.trim() === ''}
    >
      <TextField
        label={t`Name`}
        description={parent === undefined ? undefined : t`Below ${parent}`}
        required
        limit={200}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextField
        label={t`Cost centre`}
        description={t`Empty: the cost centre of the division above applies`}
        limit={36}
        value={costCenter}
        onChange={({ currentTarget }) => setCostCenter(currentTarget.value)}
      />
    </DialogForm>
  );
}
