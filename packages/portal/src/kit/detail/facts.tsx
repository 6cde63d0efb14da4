import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { CopyButton } from '../copy-button.tsx';
import shared from '../shared.module.css';
import styles from './facts.module.css';

/** A list of facts, each with its name. All values begin at one line; those of Mantine's `DataList` follow the lengths of the names. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

interface FactProps {
  readonly name: ReactNode;
  readonly children: ReactNode;
}

export function Fact({ name, children }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** The identifier for integrations, with a button that copies it. */
export function TechnicalId({ id, name }: { id: string; name: string }) {
  const { t } = useLingui();
  return (
    <>
      <span className={shared.mono}>{id}</span> <CopyButton text={id} label={t`Copy the ID of ${name}`} />
    </>
  );
}
