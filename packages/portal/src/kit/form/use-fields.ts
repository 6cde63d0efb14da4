import { useForm } from '@mantine/form';
import { Rejection } from '../../api/ask.ts';
import type { Action } from './use-action.ts';

/** Messages for what cannot be sent so, by field. */
export type ValidFields<Values> = (values: Values) => {
  readonly [Field in keyof Values]?: string | false | null;
};

interface Options<Values> {
  readonly initialValues: Values;
  readonly validate: ValidFields<Values>;
  readonly send: (values: Values) => unknown;
  /** The action of {@link send}. Its error is forgotten when the fields cannot be sent, or when a change may have mended it. */
  readonly action: Pick<Action, 'error' | 'forget'>;
}

/** The fields of a form. They are checked before it is sent, and the first one that cannot be gets the focus. Each message goes with a change. */
export function useFields<Values extends Record<string, unknown>>(options: Options<Values>) {
  const { initialValues, validate, send, action } = options;
  const form = useForm<Values>({
    initialValues,
    onValuesChange: () => {
      if (isMendable(action.error)) action.forget();
    },
    validate: values => ({ ...validate(values) }),
    enhanceGetInputProps: ({ field }) => ({ name: field }),
  });
  const submit = form.onSubmit(
    values => void send(values),
    (errors, _values, event) => {
      action.forget();
      const [first] = Object.keys(errors);
      const sent = event?.currentTarget as HTMLFormElement;
      sent.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    },
  );
  /** Changes some fields. The messages of others stay, which `form.setValues` would clear. */
  const change = (changed: Partial<Values>) => {
    for (const [field, value] of Object.entries(changed)) form.setFieldValue(field, value);
  };
  return { form, submit, change };
}

/** Whether other values may be accepted. After a lost answer or session they are not. */
function isMendable(error: unknown): boolean {
  return error instanceof Rejection && error.status >= 400 && error.status < 500 && error.status !== 401;
}
