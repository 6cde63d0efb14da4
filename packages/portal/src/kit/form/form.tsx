import { Button, Group, Stack, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Trans, useLingui } from '@lingui/react/macro';
import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { Failure } from '../failure.tsx';
import { preventSecondClick } from '../overlay/overlay.ts';
import { confirmDone } from '../overlay/toasts.tsx';
import { LimitedForm } from './limited-fields.tsx';
import { UnsavedChanges } from './unsaved-changes.tsx';
import { type Action, useAction } from './use-action.ts';
import { useFields, type ValidFields } from './use-fields.ts';
import shared from '../shared.module.css';

interface FormProps {
  readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  readonly action: Pick<Action, 'busy' | 'error'>;
  /** Whether leaving the form would lose something. */
  readonly isDirty?: boolean;
  /** Words for the button that sends the form. */
  readonly submit: ReactNode;
  readonly isDisabled?: boolean;
  /** The content after the button that sends the form. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A form with the error of its action and its buttons. It asks before unsaved changes are lost. */
export function Form(props: FormProps) {
  const { onSubmit, action, isDirty = false, submit, isDisabled = false, aside, children } = props;
  return (
    <LimitedForm onSubmit={onSubmit} noValidate>
      <UnsavedChanges isDirty={isDirty && !action.busy} />
      <Stack gap="lg" maw="var(--kontor-form)">
        {children}
        {action.error !== null && <Failure error={action.error} />}
        <Group>
          <Button type="submit" loading={action.busy} disabled={isDisabled} onClick={preventSecondClick}>
            {submit}
          </Button>
          {aside}
        </Group>
      </Stack>
    </LimitedForm>
  );
}

/** A form in the place of what it changes. */
export function EditForm({ cancel, ...form }: Omit<FormProps, 'submit' | 'aside'> & { cancel: () => void }) {
  return (
    <Form
      {...form}
      submit={<Trans>Save</Trans>}
      aside={
        <Button variant="default" onClick={cancel} disabled={form.action.busy}>
          <Trans>Cancel</Trans>
        </Button>
      }
    />
  );
}

/** The fields of a form, and what changes several of them. */
interface SettingsFields<Values> extends UseFormReturnType<Values> {
  readonly change: (changed: Partial<Values>) => void;
}

interface SettingsProps<Values> {
  /** The values when the form is opened. */
  readonly initial: Values;
  readonly validate: ValidFields<Values>;
  /** Gets only what differs from the values when the form was opened, so that other changes of other users stay. */
  readonly save: (changed: Partial<Values>) => Promise<unknown>;
  /** The queries to invalidate afterwards. */
  readonly changes: readonly QueryKey[];
  readonly children: (form: SettingsFields<Values>, stored: Values) => ReactNode;
}

/** A form of settings, which saves or discards what was changed. */
export function SettingsForm<Values extends Record<string, unknown>>(props: SettingsProps<Values>) {
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
  const { form, submit, change } = useFields<Values>({
    initialValues: stored,
    validate,
    send: save.run,
    action: save,
  });
  const isDirty = differ(form.values, stored);
  const [seen, setSeen] = useState(initial);
  if (differ(initial, seen)) {
    setSeen(initial);
    // Another user has changed the settings. A typed text stays.
    if (!isDirty) {
      setStored(initial);
      form.setValues(initial);
    }
  }
  return (
    <Form
      onSubmit={submit}
      action={save}
      isDirty={isDirty}
      submit={<Trans>Save</Trans>}
      isDisabled={!isDirty}
      aside={
        isDirty && (
          <Button variant="default" onClick={() => form.setValues(stored)}>
            <Trans>Discard</Trans>
          </Button>
        )
      }
    >
      {children({ ...form, change }, stored)}
    </Form>
  );
}

function changesOf<Values extends Record<string, unknown>>(values: Values, stored: Values): Partial<Values> {
  const changed = Object.entries(values).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(stored[field]),
  );
  return Object.fromEntries(changed) as Partial<Values>;
}

function differ<Values extends Record<string, unknown>>(values: Values, stored: Values): boolean {
  return Object.keys(changesOf(values, stored)).length > 0;
}

/** Fields of a form, under a title if they have one. */
export function FormPart({ title, children }: { title?: ReactNode; children: ReactNode }) {
  return (
    <Stack className={shared.surface} component="section" p={{ base: 'md', xs: 'lg' }} gap="lg">
      {title && <Title order={2}>{title}</Title>}
      {children}
    </Stack>
  );
}
