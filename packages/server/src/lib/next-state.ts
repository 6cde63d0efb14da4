import { ApiError } from '@kontor/contract';

/** Checks that a resource can pass from a state into another one. @throws ApiError INVALID_STATE_TRANSITION */
export function checkNextState<State extends string>(
  noun: string,
  from: State,
  to: State,
  nextStates: Readonly<Record<State, readonly State[]>>,
): void {
  const possible = nextStates[from];
  if (possible.includes(to)) return;
  const advice = possible.length === 0 ? 'that state is final' : `it can become ${possible.join(', ')}`;
  throw new ApiError(
    'INVALID_STATE_TRANSITION',
    `The ${noun} is ${from} and cannot become ${to}: ${advice}; read it again`,
  );
}
