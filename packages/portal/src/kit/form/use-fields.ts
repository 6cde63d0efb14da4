import { useForm } from '@mantine/form';
import { Rejection } from '../../api/ask.ts';
import type { Action } from './use-action.ts';

/** Error messages by field. */
export type ValidFields<Values> = (values: Values) => {
  readonly [Field in keyof Values]?: string | false | null;
};

interface Options<Values> {
  readonly initialValues: Values;
  readonly validate: ValidFields<Values>;
  readonly send: (values: Values) => unknown;
  /** The action of {@link send}. Its error is cleared when the fields are invalid, or when a change may have corrected it. */
  readonly action: Pick<Action, 'error' | 'forget'>;
}

/** The fields of a form. They are checked before it is sent, and the first invalid one gets the focus. A change of a field clears its message. */
export function useFields<Values extends Record<string, unknown>>(options: Options<Values>) {
  const { initialValues, validate, send, action } = options;
  const form = useForm<Values>({
    initialValues,
    onValuesChange: () => {
      if (isCorrectable(action.error)) action.forget();
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

/** Whether the service may accept other values. A lost answer or session has another cause. */
function isCorrectable(error: unknown): boolean {
  return error instanceof Rejection && error.status >= 400 && error.status < 500 && error.status !== 401;
}
