import { Button } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import type { QueryKey } from '@tanstack/react-query';
import type { AnswerOf } from '../api/ask.ts';
import { browserOf } from './browser.ts';
import { Failure } from './failure.tsx';
import { useAction } from './form/use-action.ts';
import { ItemCard } from './list/item-card.tsx';
import { confirmDone } from './toasts.tsx';
import { When } from './when.tsx';

interface Props {
  readonly session: AnswerOf<'GET /sessions'>['items'][number];
  /** The query of the list with the session. */
  readonly list: QueryKey;
  readonly end: () => Promise<unknown>;
}

/** A session of a user, and the button that ends it. */
export function SessionCard({ session, list, end }: Props) {
  const { t } = useLingui();
  const { address, current, createdAt, lastSeenAt } = session;
  const ending = useAction([list], end, () => confirmDone(t`Session ended`));
  const browser = browserOf(session.userAgent);
  return (
    <>
      <ItemCard
        icon="device"
        name={browser ?? t`Unknown browser`}
        badge={current && <Trans>This one</Trans>}
        actions={
          !current && (
            <Button
              variant="default"
              size="xs"
              loading={ending.busy}
              onClick={() => void ending.run()}
              aria-label={t`End the session of ${browser ?? address}`}
            >
              <Trans>End</Trans>
            </Button>
          )
        }
      >
        <Trans>
          Last used <When at={lastSeenAt} /> · signed in <When at={createdAt} /> from {address}
        </Trans>
      </ItemCard>
      {ending.error !== null && <Failure error={ending.error} />}
    </>
  );
}
