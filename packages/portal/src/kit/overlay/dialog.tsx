import { Button, type ButtonProps, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Trans, useLingui } from '@lingui/react/macro';
import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useContext, useEffect, useState } from 'react';
import { Failure, ShowsSessionEnd } from '../failure.tsx';
import { ConflictNotice } from '../form/conflict-notice.tsx';
import { LimitedForm } from '../form/limited-fields.tsx';
import { type Action, useAction, useStay } from '../form/use-action.ts';
import { useMayChange } from '../form/may-change.ts';
import { Hold, isSecondClick, preventSecondClick, useEscape, useHolding } from './overlay.ts';
import overlay from '../form/form.module.css';

interface Props {
  readonly opened: boolean;
  readonly title: ReactNode;
  /** Absent: only what is in the dialog closes it. */
  readonly close?: () => void;
  readonly size?: string;
  readonly zIndex?: number;
  readonly children: ReactNode;
}

/** The classes of a dialog or panel above the page. */
export const overlayParts = {
  inner: overlay.inner,
  content: overlay.content,
  title: overlay.title,
  body: overlay.body,
};

/** A dialog. Its head is no `header` element, which a screen reader would announce as a second banner of the page. */
export function Dialog({ opened, title, close, size = 'md', zIndex = 300, children }: Props) {
  const { t } = useLingui();
  const holding = useHolding();
  const leave = close && (() => holding.leave(close));
  useEscape(opened, leave);
  const clickOutside = (event: { readonly detail: number }) => {
    if (!isSecondClick(event) && !holding.isTyped) leave?.();
  };
  return (
    <Modal.Root
      opened={opened}
      onClose={() => leave?.()}
      size={size}
      zIndex={zIndex}
      classNames={overlayParts}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Modal.Overlay onClick={clickOutside} />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title fw={650} fz="lg" tabIndex={-1} style={{ outline: 'none' }}>
            {title}
          </Modal.Title>
          {close && <Modal.CloseButton aria-label={t`Close`} disabled={holding.held} />}
        </Modal.Header>
        {/* React passes events on to the form that the button of the dialog is in, which would be sent, too. */}
        <Modal.Body onSubmit={event => event.stopPropagation()}>
          <Overlaid holding={holding}>{children}</Overlaid>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface OverlaidProps {
  readonly holding: ReturnType<typeof useHolding>;
  readonly children: ReactNode;
}

/** The content of a dialog or a panel above the page, which hides the notice of the page. It stays while a request of it is in flight. */
export function Overlaid({ holding, children }: OverlaidProps) {
  return (
    <ShowsSessionEnd value={false}>
      <Hold value={holding}>{children}</Hold>
    </ShowsSessionEnd>
  );
}

interface DialogButtonProps extends Omit<ButtonProps, 'children'> {
  readonly label: ReactNode;
  /** The title of the dialog. */
  readonly title: ReactNode;
  /** For screen readers, where the label alone is ambiguous. */
  readonly 'aria-label'?: string;
  /** Whether the button is there. The dialog stays, since it may be showing what is shown once. */
  readonly isShown?: boolean;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens the dialog of an action, for users who may do it. */
export function DialogButton({ label, title, isShown = true, children, ...button }: DialogButtonProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const mayChange = useMayChange();
  return (
    <>
      {isShown && mayChange && (
        <Button variant="default" onClick={open} {...button}>
          {label}
        </Button>
      )}
      <Dialog opened={opened} close={close} title={title}>
        {opened && children(close)}
      </Dialog>
    </>
  );
}

interface Typed {
  readonly label: ReactNode;
  readonly inputMode?: 'numeric';
  readonly isRight: (text: string) => boolean;
}

interface DialogFormProps {
  readonly action: Action;
  readonly close: () => void;
  /** Words for the button that does it. */
  readonly submit: ReactNode;
  /** Whether it cannot be undone. */
  readonly isDangerous?: boolean | undefined;
  /** Whether the focus is on the button that leaves first, where the other one does harm. */
  readonly isCareful?: boolean;
  /** Whether something is missing. */
  readonly isDisabled?: boolean;
  /** A text that must be typed first, where much is at stake. */
  readonly typed?: Typed | false;
  readonly children: ReactNode;
}

/**
 * The form of a dialog, with its buttons and the error of its action. Only the buttons of the dialog and Escape discard typed text. A click
 * outside, the back button and the end of the session keep it.
 */
export function DialogForm(props: DialogFormProps) {
  const { action, close, submit, isDangerous, isCareful, typed, children } = props;
  const [text, setText] = useState('');
  const { isTyped, setTyped } = useContext(Hold);
  useStay(isTyped && !action.busy);
  useEffect(() => () => setTyped(false), [setTyped]);
  const isDisabled = (typed && !typed.isRight(text)) || props.isDisabled === true;
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isDisabled) void action.run();
  };
  // The name that confirms a deletion is nothing to lose.
  return (
    <LimitedForm onSubmit={onSubmit} onChange={() => setTyped(!typed)} noValidate>
      <Stack>
        <ConflictNotice />
        {children}
        {typed && (
          <TextInput
            label={typed.label}
            autoComplete="off"
            inputMode={typed.inputMode}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            data-autofocus
          />
        )}
        {action.error !== null && <Failure error={action.error} />}
        <DialogEnd close={close} isCareful={isCareful}>
          <Button
            type="submit"
            loading={action.busy}
            disabled={isDisabled}
            onClick={preventSecondClick}
            {...(isDangerous && { color: 'var(--kontor-danger)' })}
          >
            {submit}
          </Button>
        </DialogEnd>
      </Stack>
    </LimitedForm>
  );
}

interface ConfirmButtonProps<Result> extends Omit<DialogButtonProps, 'children'> {
  /** Words for the button in the dialog; absent: the same. */
  readonly submit?: ReactNode;
  readonly isDangerous?: boolean;
  /** The queries to invalidate ({@link useAction}). */
  readonly changes: readonly QueryKey[];
  readonly action: () => Promise<Result>;
  readonly done?: (result: Result) => void;
  /** The consequences, for the confirmation. */
  readonly children: ReactNode;
}

/** A button that does something after a confirmation. */
export function ConfirmButton<Result>(props: ConfirmButtonProps<Result>) {
  const { submit, isDangerous, changes, action, done, children, ...button } = props;
  return (
    <DialogButton {...button}>
      {close => (
        <Confirmation {...{ close, changes, action, done, isDangerous }} submit={submit ?? button.label}>
          {children}
        </Confirmation>
      )}
    </DialogButton>
  );
}

interface ConfirmationProps<Result> extends Pick<
  ConfirmButtonProps<Result>,
  'submit' | 'changes' | 'action' | 'children'
> {
  readonly close: () => void;
  readonly done: ((result: Result) => void) | undefined;
  readonly isDangerous: boolean | undefined;
}

function Confirmation<Result>(props: ConfirmationProps<Result>) {
  const { close, submit, isDangerous, changes, action, done, children } = props;
  const doing = useAction(changes, action, result => {
    close();
    done?.(result);
  });
  return (
    <DialogForm action={doing} close={close} submit={submit} isDangerous={isDangerous} isCareful>
      <Text size="sm">{children}</Text>
    </DialogForm>
  );
}

interface EndProps {
  readonly close: () => void;
  readonly isCareful?: boolean | undefined;
  /** The button that does what the dialog is for, if it is not in the dialog itself. */
  readonly children?: ReactNode;
}

/** The last line of a dialog: leaves it, or does what it is for. */
export function DialogEnd({ close, isCareful = false, children }: EndProps) {
  const { held, leave } = useContext(Hold);
  return (
    <Group justify="flex-end">
      <Button
        variant="default"
        onClick={() => leave(close)}
        disabled={held}
        data-autofocus={isCareful || undefined}
      >
        <Trans>Cancel</Trans>
      </Button>
      {children}
    </Group>
  );
}
