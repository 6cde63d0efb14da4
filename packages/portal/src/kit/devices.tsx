import { Anchor, Button } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import type { QueryKey } from '@tanstack/react-query';
import type { AnswerOf } from '../api/ask.ts';
import { Failure } from './failure.tsx';
import { useAction } from './form/use-action.ts';
import { ItemCard } from './list/item-card.tsx';
import { confirmDone } from './overlay/toasts.tsx';
import { When } from './when.tsx';

/** Browser names in user agents, the more specific first. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[.\d]* .*Safari\//],
] as const;

const systems = [
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

/** The browser and the system, such as "Firefox 140, Windows"; null for what is none of the usual ones. */
export function browserOf(userAgent: string | null): string | null {
  const text = userAgent ?? '';
  const browser = browsers.find(([, form]) => form.test(text));
  if (!browser) return null;
  const system = systems.find(([, form]) => form.test(text))?.[0];
  const name = `${browser[0]} ${browser[1].exec(text)![1]}`;
  return system ? `${name}, ${system}` : name;
}

/** Why no passkey works on this page: it is not at the origin of passkeys, there is none, or the browser has no passkeys. */
export function PasskeysUnavailable({ origin }: { origin: string | null }) {
  if (origin === null)
    return <Trans>Passkeys are not available: the operator must set up a host name with HTTPS.</Trans>;
  if (origin === window.location.origin)
    return (
      <Trans>
        This browser does not support passkeys. Use another browser, or contact your administrator.
      </Trans>
    );
  return (
    <Trans>
      Passkeys only work at{' '}
      <Anchor href={`${origin}${window.location.pathname}`} underline="always">
        {origin}
      </Anchor>
      . Open the portal there.
    </Trans>
  );
}

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
