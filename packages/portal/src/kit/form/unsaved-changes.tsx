import { Button, Group, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { asksBeforeUnload } from '../../api/use.ts';
import { Dialog } from '../overlay/dialog.tsx';

const toSignIn: ShouldBlockFn = ({ next }) => next.routeId === '/sign-in';
const toAnotherPage: ShouldBlockFn = ({ next }) => next.routeId !== '/sign-in';

/**
 * Asks before a form with unsaved changes is left by a link or the back button; the browser asks before it is closed or loaded again. When the
 * session ends, the form stays without a question: it can be sent after a sign-in in another tab.
 */
export function UnsavedChanges({ isDirty }: { isDirty: boolean }) {
  const { t } = useLingui();
  useBlocker({ shouldBlockFn: toSignIn, enableBeforeUnload: false, disabled: !isDirty });
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: toAnotherPage,
    enableBeforeUnload: asksBeforeUnload,
    disabled: !isDirty,
    withResolver: true,
  });
  return (
    <Dialog opened={status === 'blocked'} close={() => reset?.()} title={t`Leave without saving?`}>
      <Stack>
        <Text size="sm">
          <Trans>Your changes on this page are not saved.</Trans>
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => proceed?.()}>
            <Trans>Discard changes</Trans>
          </Button>
          <Button data-autofocus onClick={() => reset?.()}>
            <Trans>Keep editing</Trans>
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
