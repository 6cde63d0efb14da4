import { TextInput, type TextInputProps } from '@mantine/core';
import { day } from '../dates.ts';

interface Props extends Omit<TextInputProps, 'type' | 'value' | 'onChange' | 'description'> {
  /** A day such as `2026-09-03`; empty: none. */
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** A day that is typed or picked, in the form of the browser. Below it stands in the language of the page, so that day and month are not mixed up. */
export function DateField({ value, onChange, ...input }: Props) {
  return (
    <TextInput
      {...input}
      type="date"
      maw={240}
      max={input.max ?? '9999-12-31'}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={value ? day(value) : undefined}
    />
  );
}
