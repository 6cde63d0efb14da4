import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';

/** The answer of `useAnswer`, as far as it is shown. */
export interface Answer<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  refetch(): unknown;
}

interface Props<Data> {
  readonly answer: Answer<Data>;
  /** Height of the outline in pixels. */
  readonly height: number;
  readonly children: (data: Data) => ReactNode;
}

/** Shows the answer of the service, or its outline until there is one. A failure shows above the last answer. */
export function Answered<Data>({ answer: { data, error, refetch }, height, children }: Props<Data>) {
  return (
    <>
      {error !== null && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={height} radius="lg" />}
      {data !== undefined && children(data)}
    </>
  );
}
