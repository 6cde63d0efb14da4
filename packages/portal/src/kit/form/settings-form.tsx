import { Button, Group, Stack, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Trans, useLingui } from '@lingui/react/macro';
import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Failure } from '../failure.tsx';
import shared from '../shared.module.css';
import { confirmDone } from '../toasts.tsx';
import { UnsavedChanges } from './unsaved-changes.tsx';
import { useAction } from './use-action.ts';
import { useFields, type ValidFields } from './use-fields.ts';

interface Props<Values> {
  /** The values when the form is opened. */
  readonly initial: Values;
  readonly validate: ValidFields<Values>;
  /** Gets only what differs from the values when the form was opened, so that other changes of other users stay. */
  readonly save: (changed: Partial<Values>) => Promise<unknown>;
  /** The queries to invalidate afterwards. */
  readonly changes: readonly QueryKey[];
  readonly children: (form: UseFormReturnType<Values>, stored: Values) => ReactNode;
}

/** A form of settings, which saves or discards what was changed. */
export function SettingsForm<Values extends Record<string, unknown>>(props: Props<Values>) {
  const { initial, validate, changes, children } = props;
  const { t } = useLingui();
  const [stored, setStored] = useState(initial);
  const save = useAction(
    changes,
    async (values: Values) => {
      await props.save(changesOf(values, stored));
      return values;
    },
    saved => {
      setStored(saved);
      confirmDone(t`Changes saved`);
    },
  );
  const { form, submit } = useFields<Values>({
    initialValues: stored,
    validate,
    send: save.run,
    action: save,
  });
  const isDirty = Object.keys(changesOf(form.values, stored)).length > 0;
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChanges isDirty={isDirty && !save.busy} />
      <Stack gap="lg" maw="var(--kontor-form)">
        {children(form, stored)}
        {save.error !== null && <Failure error={save.error} />}
        <Group>
          <Button type="submit" loading={save.busy} disabled={!isDirty}>
            <Trans>Save</Trans>
          </Button>
          {isDirty && (
            <Button variant="default" onClick={() => form.setValues(stored)}>
              <Trans>Discard</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function changesOf<Values extends Record<string, unknown>>(values: Values, stored: Values): Partial<Values> {
  const changed = Object.entries(values).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(stored[field]),
  );
  return Object.fromEntries(changed) as Partial<Values>;
}

/** Fields of a form under a title. */
export function FormPart({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <Stack className={shared.surface} component="section" p={{ base: 'md', xs: 'lg' }} gap="lg">
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}
