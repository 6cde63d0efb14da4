import { Alert } from '@mantine/core';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { identityQuery } from '../../api/queries.ts';
import { When } from '../when.tsx';

/** A change of what a page shows. */
export interface Change {
  readonly id: string;
  readonly at: string;
  readonly actorId: string;
  readonly actor: ReactNode;
}

/** The latest change of what the page shows; undefined: it is not loaded, or there is none. */
export const LatestChange = createContext<Change | undefined>(undefined);

/** Says that another user has changed what the page shows since this form was opened. */
export function ConflictNotice() {
  const latest = useContext(LatestChange);
  const { data: identity } = useQuery(identityQuery);
  const [seen, setSeen] = useState(latest?.id);
  // The history was not loaded when the form was opened.
  if (seen === undefined && latest !== undefined) setSeen(latest.id);
  if (latest === undefined || latest.id === (seen ?? latest.id) || latest.actorId === identity?.user.id)
    return null;
  const { actor, at } = latest;
  return (
    <Alert role="status" color="yellow" variant="light">
      <Trans>
        Changed by {actor} <When at={at} />. Check what the page shows before you go on.
      </Trans>
    </Alert>
  );
}
