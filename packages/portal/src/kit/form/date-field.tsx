import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { longDay, parseDay, typedDay } from '../dates.ts';
import { Icon } from '../icon.tsx';
import styles from './form.module.css';

interface Props extends Omit<TextInputProps, 'type' | 'value' | 'onChange' | 'description'> {
  /** A day such as `2026-09-03`; empty: none. Any other text is what was typed, which is not a day. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/**
 * A day that is typed in the order of the page's language, or picked from the calendar of the browser. The field of the browser for days takes
 * month and day in its own order, and `26` for the year 26. Below it stands the day in words, so that day and month
 * are not mixed up. The words stay when the field is left: a button that moved up then would miss the click that left it. The field
 * then names a text that is not a day: a form that waits for a day has only a disabled button.
 */
export function DateField({ value, onChange, error, ...input }: Props) {
  const { t } = useLingui();
  const picker = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const known = parseDay(value);
  const shown = typed ?? (known === null ? value : typedDay(known));
  const isWrong = typed === null && known === null && value !== '';
  return (
    <TextInput
      {...input}
      maw={240}
      autoComplete="off"
      placeholder={t`DD/MM/YYYY`}
      error={error || (isWrong && t`Enter a day, such as ${typedDay('2026-11-01')}.`)}
      value={shown}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(parseDay(currentTarget.value) ?? currentTarget.value.trim());
      }}
      onBlur={() => setTyped(null)}
      rightSection={
        <>
          <input
            ref={picker}
            className={styles.picker}
            type="date"
            tabIndex={-1}
            aria-hidden
            value={known ?? ''}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t`Choose the day`}
            onClick={() => picker.current?.showPicker()}
          >
            <Icon name="calendar" />
          </ActionIcon>
        </>
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={known === null ? undefined : longDay(known)}
    />
  );
}
