import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { useAction } from './form/use-action.ts';
import { Icon } from './icon.tsx';

interface Props {
  /** Requests the file and saves it. */
  readonly save: () => Promise<unknown>;
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
}

/** Saves a file, or shows below the button why it could not. */
export function DownloadButton({ save, isDisabled = false, children }: Props) {
  const { run, busy, error } = useAction([], save);
  return (
    <>
      <div>
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          loading={busy}
          disabled={isDisabled}
          onClick={() => void run()}
        >
          {children}
        </Button>
      </div>
      {error !== null && <Failure error={error} />}
    </>
  );
}
