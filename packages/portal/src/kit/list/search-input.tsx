import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { Icon } from '../icon.tsx';

interface Props {
  readonly label: string;
  readonly text: string | undefined;
  readonly search: (text: string | undefined) => void;
}

/** The search of a list, which follows what is typed. */
export function SearchInput({ label, text, search }: Props) {
  const [typed, setTyped] = useState(text ?? '');
  const [seen, setSeen] = useState(text);
  const [sent, setSent] = useState(text);
  if (text !== seen) {
    setSeen(text);
    // Somebody went back, or followed a link; what was sent from here may have been typed on since.
    if (text !== sent) {
      setTyped(text ?? '');
      setSent(text);
    }
  }
  const searchFor = useDebouncedCallback((typed: string) => {
    const words = typed.trim() || undefined;
    setSent(words);
    search(words);
  }, 250);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="search" size={16} />}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        searchFor(currentTarget.value);
      }}
      style={{ flex: '1 1 220px', maxWidth: 460 }}
    />
  );
}
