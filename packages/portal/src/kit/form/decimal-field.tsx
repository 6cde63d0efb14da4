import { TextInput, type TextInputProps } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { currencySymbol, formatDecimal, isDecimal, moneyPlaces, parseDecimal } from '../numbers.ts';

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** A decimal of the API such as `1234.50`, or the typed text while it is none; empty: none. Forms check it with `isDecimal`. */
  readonly value: string;
  readonly onChange: (decimal: string) => void;
  /** The currency of an amount of money, such as EUR; absent: a number. */
  readonly currency?: string;
}

const renderValue = (value: string) => (isDecimal(value) ? formatDecimal(value) : value);

/** An amount of money or a number, typed and shown as the language of the page writes it. It stays a text: Mantine's `NumberInput` makes a number of it, which may lose digits. */
export function DecimalField({ value, onChange, onBlur, currency, ...input }: Props) {
  const { i18n } = useLingui();
  const places = currency === undefined ? undefined : moneyPlaces;
  const read = (text: string) => parseDecimal(text, places) ?? text.trim();
  const [text, setText] = useState(() => renderValue(value));
  const current = `${i18n.locale} ${value}`;
  const [seen, setSeen] = useState(current);
  if (current !== seen) {
    setSeen(current);
    // The typed text stays as it is written until the field is left.
    if (read(text) !== value) setText(renderValue(value));
  }
  const symbol = currency === undefined ? undefined : currencySymbol(currency);
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      {...input}
      {...(symbol && { [symbol.isFirst ? 'leftSection' : 'rightSection']: symbol.text })}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(read(currentTarget.value));
      }}
      onBlur={event => {
        setText(renderValue(value));
        onBlur?.(event);
      }}
    />
  );
}
