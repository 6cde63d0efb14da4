import { Button, Title, VisuallyHidden } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, type SubmitEvent, useEffect, useRef } from 'react';
import { Icon } from '../icon.tsx';
import { Form, FormPart } from './form.tsx';
import type { Action } from './use-action.ts';
import classes from './form.module.css';

interface Props {
  /** The names of all steps. */
  readonly names: readonly string[];
  /** The index of the present step. */
  readonly step: number;
  readonly back: () => void;
  /** Goes on to the next step; in the last one it sends the form. */
  readonly submit: (event: SubmitEvent<HTMLFormElement>) => void;
  readonly action: Pick<Action, 'busy' | 'error'>;
  readonly isDirty: boolean;
  /** Words for the button of the last step. */
  readonly send: ReactNode;
  readonly children: ReactNode;
}

/** A form in steps. The owner keeps the values, so going back keeps them. */
export function Steps({ names, step, back, submit, action, isDirty, send, children }: Props) {
  const { t } = useLingui();
  const isLast = step === names.length - 1;
  return (
    <Form
      onSubmit={submit}
      action={action}
      isDirty={isDirty}
      submit={isLast ? send : <Trans>Continue</Trans>}
      aside={
        step > 0 && (
          <Button variant="default" onClick={back} disabled={action.busy}>
            <Trans>Back</Trans>
          </Button>
        )
      }
    >
      <StepList label={t`Steps`} names={names} step={step} hasHeading />
      <FormPart>{children}</FormPart>
    </Form>
  );
}

interface ListProps {
  readonly label: string;
  readonly names: readonly string[];
  /** The index of the present one. */
  readonly step: number;
  /** Whether the name of the present one is a heading, of what follows the list. */
  readonly hasHeading?: boolean;
}

/** Steps one after another: those that are done, and the present one. None can be pressed: Mantine's `Stepper` has a button for each. */
export function StepList({ label, names, step, hasHeading = false }: ListProps) {
  const { t } = useLingui();
  return (
    <ol className={classes.steps} aria-label={label}>
      {names.map((name, index) => (
        <li key={name} className={classes.step} aria-current={index === step ? 'step' : undefined}>
          <span className={classes.number} aria-hidden>
            {index < step ? <Icon name="check" size={16} /> : index + 1}
          </span>
          {index === step && hasHeading ? <StepHeading isFirst={step === 0}>{name}</StepHeading> : name}
          {index < step && <VisuallyHidden>{t`(done)`}</VisuallyHidden>}
        </li>
      ))}
    </ol>
  );
}

/** The name of the step. It has the focus after a change of steps; at first the page's heading has it. */
function StepHeading({ isFirst, children }: { isFirst: boolean; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const wasOpened = useRef(isFirst);
  useEffect(() => {
    if (!wasOpened.current) heading.current?.focus();
    wasOpened.current = false;
  }, []);
  return (
    <Title
      order={2}
      ref={heading}
      tabIndex={-1}
      className={classes.heading}
      fz="inherit"
      fw="inherit"
      lh="inherit"
    >
      {children}
    </Title>
  );
}
