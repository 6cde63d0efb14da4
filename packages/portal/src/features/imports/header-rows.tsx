import { Button, Radio, Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { isEmailAddress } from '../../kit/email.tsx';
import type { Details } from './words.tsx';
import styles from './imports.module.css';

interface Props {
  readonly details: Details;
  /** The chosen row, counted from 1; null: no row has names. */
  readonly headerRow: number | null;
  readonly choose: (headerRow: number | null) => void;
}

/** The header is one of these rows (`importHeaderRowsMaximum`). */
const maxHeaderRow = 20;
const maxCells = 8;
const noHeader = 'none';

/** The first rows of the file, in which a user chooses the one with the names of the columns. A row with an email address is a person. */
export function HeaderRows({ details: { rows, columns }, headerRow, choose }: Props) {
  const { t } = useLingui();
  const [isWhole, setWhole] = useState(false);
  const few = Math.max(5, (headerRow ?? 0) + 2);
  const shown = isWhole ? rows : rows.slice(0, few);
  return (
    <Radio.Group
      label={t`Which row contains the names of the columns?`}
      value={String(headerRow ?? noHeader)}
      onChange={value => choose(value === noHeader ? null : Number(value))}
    >
      <div className={styles.rowsOfFile}>
        <table className={styles.head} aria-label={t`The first rows of the file`}>
          <tbody>
            {shown.map(({ line, cells }, index) => (
              <tr
                key={line}
                data-is={
                  headerRow === null || index >= headerRow
                    ? undefined
                    : index === headerRow - 1
                      ? 'header'
                      : 'left-out'
                }
              >
                <td>
                  {index < maxHeaderRow && !cells.some(isEmailAddress) ? (
                    <Radio
                      value={String(index + 1)}
                      label={t`Row ${line}`}
                      aria-label={t`The names are in row ${line}`}
                    />
                  ) : (
                    <span className={styles.person}>{t`Row ${line}`}</span>
                  )}
                </td>
                {cells.slice(0, maxCells).map((cell, column) => (
                  <td key={column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={styles.below}>
        <Radio value={noHeader} label={t`No row contains names`} />
        {shown.length < rows.length && (
          <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
            <Trans>Show more rows</Trans>
          </Button>
        )}
      </div>
      <Text size="sm" c="dimmed" role="status">
        {headerRow !== null && headerRow > 1 && (
          <Plural
            value={headerRow - 1}
            one="The row above the names is left out."
            other="The # rows above the names are left out."
          />
        )}{' '}
        {columns.length > maxCells && (
          <Plural
            value={columns.length - maxCells}
            one="# more column is not shown here."
            other="# more columns are not shown here."
          />
        )}
      </Text>
    </Radio.Group>
  );
}
