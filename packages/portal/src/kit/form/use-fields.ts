import { useForm } from '@mantine/form';

interface Options<Values> {
  readonly initialValues: Values;
  /** Messages for what cannot be sent so, by field. */
  readonly validate: (values: Values) => { readonly [Field in keyof Values]?: string | false | null };
  /** Sends the form. */
  readonly send: (values: Values) => unknown;
  /** Whether the fields cannot be sent: what was wrong with the last attempt is not of interest then. */
  readonly forget: () => void;
}

/** The fields of a form. They are checked before it is sent, and the first one that cannot be gets the focus. */
export function useFields<Values extends Record<string, unknown>>(options: Options<Values>) {
  const { initialValues, validate, send, forget } = options;
  const form = useForm<Values>({
    initialValues,
    validate: values => ({ ...validate(values) }),
    enhanceGetInputProps: ({ field }) => ({ name: field }),
  });
  const submit = form.onSubmit(
    values => void send(values),
    (errors, _values, event) => {
      forget();
      const [first] = Object.keys(errors);
      const sent = event?.currentTarget as HTMLFormElement;
      sent.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    },
  );
  return { form, submit };
}
