import { Button, Group } from '@mantine/core';
import { Trans } from '@lingui/react/macro';
import { Failure } from '../failure.tsx';
import type { Action } from './use-action.ts';

interface Props {
  readonly action: Pick<Action, 'busy' | 'error'>;
  readonly cancel: () => void;
}

/** The end of a form that stands in the place of what it changes, with the reason why it was not saved. */
export function EditButtons({ action: { busy, error }, cancel }: Props) {
  return (
    <>
      {error !== null && <Failure error={error} />}
      <Group>
        <Button type="submit" loading={busy}>
          <Trans>Save</Trans>
        </Button>
        <Button variant="default" onClick={cancel} disabled={busy}>
          <Trans>Cancel</Trans>
        </Button>
      </Group>
    </>
  );
}
