import { ApiError } from '@kontor/contract';

/** Whether a resource in each state can pass into each of the states that something leads to. */
export type Transitions<State extends string, Next extends State> = Readonly<
  Record<State, Readonly<Record<Next, boolean>>>
>;

/** Checks that a resource can pass from a state into another one. @throws ApiError INVALID_STATE_TRANSITION */
export function checkNextState<State extends string, Next extends State>(
  noun: string,
  from: State,
  to: Next,
  transitions: Transitions<State, Next>,
): void {
  const nextStates: Readonly<Record<Next, boolean>> = transitions[from];
  if (nextStates[to]) return;
  const possible = (Object.keys(nextStates) as Next[]).filter(state => nextStates[state]);
  const advice = possible.length === 0 ? 'that state is final' : `it can become ${possible.join(', ')}`;
  throw new ApiError(
    'INVALID_STATE_TRANSITION',
    `The ${noun} is ${from} and cannot become ${to}: ${advice}; read it again`,
  );
}
