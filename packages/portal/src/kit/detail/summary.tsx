import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import shared from '../shared.module.css';
import styles from './summary.module.css';

interface Props {
  readonly facts: readonly { readonly name: string; readonly value: ReactNode }[];
}

/** The few facts that most open a page for, in one row. */
export function Summary({ facts }: Props) {
  return (
    <Box className={`${shared.surface} ${styles.summary}`} component="dl">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </Box>
  );
}
