import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode, SubmitEvent } from 'react';

/** The mark of a field whose value is out of its limits. */
const outOfLimits = 'data-out-of-limits';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
}

/** A form that is not sent while a field is out of its limits. The first such field gets the focus. */
export function LimitedForm({ onSubmit, ...form }: FormProps) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const field = event.currentTarget.querySelector<HTMLElement>(`[${outOfLimits}]`);
    if (field === null) return onSubmit(event);
    event.preventDefault();
    field.focus();
  };
  return <form {...form} onSubmit={submit} />;
}

interface Limited {
  readonly value?: string | number | readonly string[] | undefined;
  readonly error?: ReactNode;
}

/** The properties of a field that says what is wrong. `maxLength` of a browser cuts a pasted text without a word. */
function limitedBy(words: string | null, { error }: Limited) {
  return words === null ? { error } : { error: words, [outOfLimits]: '' };
}

function useLengthWords(value: Limited['value'], limit: number): string | null {
  const { t, i18n } = useLingui();
  const { length } = String(value ?? '');
  const [max, typed] = [limit, length].map(count => i18n.number(count));
  return length > limit ? t`At most ${max} characters are possible. You have entered ${typed}.` : null;
}

interface Length {
  /** Most characters. */
  readonly limit: number;
}

/** A line of text with a limit. What is longer stays as it is typed, with a message. */
export function TextField({ limit, ...input }: TextInputProps & Length) {
  return <TextInput {...input} {...limitedBy(useLengthWords(input.value, limit), input)} />;
}

/** A text of several lines with a limit. */
export function TextArea({ limit, ...input }: TextareaProps & Length) {
  return <Textarea {...input} {...limitedBy(useLengthWords(input.value, limit), input)} />;
}

interface NumberProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** A whole number; empty: none. Any other text is what was typed. */
  readonly value?: number | string;
  readonly onChange: (value: number | string) => void;
  readonly min?: number;
  readonly max?: number;
}

/** A whole number within bounds. Mantine's `NumberInput` clamps it, and makes 45 of `4.5`. */
export function NumberField({ value = '', onChange, min = 0, max = 999_999_999, ...input }: NumberProps) {
  const { t, i18n } = useLingui();
  const [lowest, highest] = [min, max].map(bound => i18n.number(bound));
  const isPossible = value === '' || (typeof value === 'number' && value >= min && value <= max);
  const words = isPossible ? null : t`Enter a whole number from ${lowest} to ${highest}.`;
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      {...input}
      {...limitedBy(words, input)}
      value={value}
      onChange={({ currentTarget }) => {
        const text = currentTarget.value.trim();
        onChange(/^\d{1,15}$/.test(text) ? Number(text) : text);
      }}
    />
  );
}
