import { Button, Stack, Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Rejection } from '../../api/ask.ts';
import { useFailureWords } from '../failure.tsx';
import { Aborted, useAction, useFreshSignIn } from '../form/use-action.ts';
import { Dialog, DialogForm } from '../overlay/dialog.tsx';
import { confirmDone } from '../overlay/toasts.tsx';
import type { Chosen, NamedRow, RowAction } from './row-action.ts';
import styles from './list.module.css';
import { TextArea } from '../form/limited-fields.tsx';

interface Props<Row> extends Chosen<Row> {
  readonly nameOf: (row: Row) => string;
  readonly done: () => void;
  readonly close: () => void;
}

/** Confirms an action once for all its rows, and sums up what became of them. */
export function ActionDialog<Row extends NamedRow>(props: Props<Row>) {
  const { label } = props.action;
  return (
    <Dialog opened close={props.close} title={label}>
      <ActionForm {...props} />
    </Dialog>
  );
}

/** Rows that a confirmation names. */
const maxNamed = 8;

interface Rejected<Row> {
  readonly row: Row;
  readonly error: unknown;
}

function ActionForm<Row extends NamedRow>({ action, rows, nameOf, done, close }: Props<Row>) {
  const { t } = useLingui();
  const withFreshSignIn = useFreshSignIn();
  const [rejected, setRejected] = useState<readonly Rejected<Row>[]>();
  const [text, setText] = useState('');
  const [isMissing, setMissing] = useState(false);
  // Fixed: while the rows are changed, the list shows them as they have become.
  const [possible] = useState(() => rows.filter(action.applies));
  const count = possible.length;
  const { label, text: field } = action;
  const others = rows.length - count;
  const doing = useAction(
    action.changes,
    () => actOnEach(possible, row => withFreshSignIn(() => action.act(row, text.trim()))),
    rejected => {
      done();
      if (rejected.length > 0) return setRejected(rejected);
      close();
      return confirmDone(t`${label}: ${count} done`);
    },
  );
  if (rejected) {
    const explained = { rejected, nameOf, explain: action.explain };
    return <Summary done={count - rejected.length} {...explained} close={close} />;
  }
  const confirmed = {
    ...doing,
    run: async () => {
      const lacks = field?.required !== undefined && text.trim() === '';
      setMissing(lacks);
      return !lacks && doing.run();
    },
  };
  return (
    <DialogForm action={confirmed} close={close} submit={label} isDisabled={count === 0} isCareful={!field}>
      <Text size="sm" fw={600}>
        {count === 1 ? nameOf(possible[0]!) : t`${count} selected rows`}
      </Text>
      {count > 1 && (
        <ul className={styles.rows}>
          {possible.slice(0, maxNamed).map(row => (
            <li key={row.id}>{nameOf(row)}</li>
          ))}
          {count > maxNamed && (
            <li>
              <Plural value={count - maxNamed} one="# more" other="# more" />
            </li>
          )}
        </ul>
      )}
      <Text size="sm" component="div">
        {action.consequences}
      </Text>
      {field && (
        <TextArea
          label={field.label}
          withAsterisk={field.required !== undefined}
          aria-required={field.required !== undefined}
          limit={field.maxLength}
          autosize
          minRows={2}
          value={text}
          error={isMissing && text.trim() === '' && field.required}
          data-autofocus
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      {others > 0 && (
        <Text size="sm" c="dimmed">
          <Plural
            value={others}
            one="# selected row is not affected: the action does not apply to it."
            other="# selected rows are not affected: the action does not apply to them."
          />
        </Text>
      )}
    </DialogForm>
  );
}

interface SummaryProps<Row> {
  readonly explain: RowAction<Row>['explain'] | undefined;
  readonly nameOf: (row: Row) => string;
  readonly done: number;
  readonly rejected: readonly Rejected<Row>[];
  readonly close: () => void;
}

function Summary<Row extends NamedRow>(props: SummaryProps<Row>) {
  const { nameOf, done, rejected, explain, close } = props;
  const { t } = useLingui();
  const words = useFailureWords();
  const count = rejected.length;
  return (
    <Stack role="status">
      <Text fw={600}>{t`${done} done, ${count} rejected`}</Text>
      <ul className={styles.rows}>
        {rejected.map(({ row, error }) => (
          <li key={row.id}>
            <strong>{nameOf(row)}</strong>: {explain?.(error) || words(error)}
          </li>
        ))}
      </ul>
      <Button variant="default" onClick={close} data-autofocus style={{ alignSelf: 'flex-end' }}>
        <Trans>Close</Trans>
      </Button>
    </Stack>
  );
}

/** Requests in flight at the same time. */
const maxInFlight = 4;

/** Acts on the rows and returns those that were rejected. @throws Aborted, Rejection of the session: then it stops. */
async function actOnEach<Row>(
  rows: readonly Row[],
  act: (row: Row) => Promise<unknown>,
): Promise<Rejected<Row>[]> {
  const rejected: Rejected<Row>[] = [];
  const waiting = [...rows];
  const work = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift())
      try {
        await act(row);
      } catch (error) {
        if (error instanceof Aborted || (error instanceof Rejection && error.status === 401)) throw error;
        rejected.push({ row, error });
      }
  };
  await Promise.all(Array.from({ length: maxInFlight }, work));
  return rejected;
}
