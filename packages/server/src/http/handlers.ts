import type { employeeImportOperations } from '@kontor/contract';
import { type AnswerOf as AnswerTo, type CallOf as CallTo, implement } from './implement.ts';
import type { Route } from './route.ts';

/** The form of employee imports until they follow the other features. */
type Operations = typeof employeeImportOperations;

export type CallOf<Id extends keyof Operations> = CallTo<Operations[Id]>;
export type AnswerOf<Id extends keyof Operations> = AnswerTo<Operations[Id]>;
export type HandlersOf<_Name, _Tag> = {
  readonly [Id in keyof Operations]: (call: CallOf<Id>) => Promise<AnswerOf<Id>>;
};

export function bind(operations: Operations, handlers: HandlersOf<'portal', 'Employee imports'>): Route[] {
  return (Object.keys(operations) as (keyof Operations)[]).map(id =>
    implement(operations[id], handlers[id] as never),
  );
}
