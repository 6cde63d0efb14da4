import {
  allOperations,
  type Api,
  type FieldRegistry,
  type FileSuccess,
  type Operation,
} from '@kontor/contract';
import type { Static, TObject } from 'typebox';
import type { CheckedList } from '../query/check.ts';
import type { Batch, Call, CreatedAnswer, FileAnswer, OkAnswer, Route, Upload } from './route.ts';

/** A call of one operation, or of any of several that share a handler. */
export type CallOf<Declared extends Operation> = Omit<Call, 'parameters' | 'query' | 'body' | 'list'> & {
  readonly parameters: Declared extends { parameters: { properties: infer Properties } }
    ? { readonly [Name in keyof Properties]: string }
    : never;
  readonly query: Call['query'] & Static<Declared['query']>;
  readonly body: BodyOf<Declared>;
  readonly list: Declared extends { fields: FieldRegistry } ? CheckedList : null;
};

/** The answer of one operation. A dry run of a create returns 200. */
export type AnswerOf<Declared extends Operation> = Declared extends { success: FileSuccess }
  ? FileAnswer
  : Declared extends { success: { status: 201 } }
    ? CreatedAnswer | OkAnswer
    : OkAnswer;

type BodyOf<Declared> = Declared extends { batch: true; body: infer Body extends TObject }
  ? Batch<LineOf<Static<Body>>>
  : Declared extends { body: infer Body extends TObject }
    ? Static<Body>
    : Declared extends { upload: true }
      ? Upload
      : undefined;

type LineOf<Body> = Body extends { items: (infer Line)[] } ? Line : never;

const ids: ReadonlyMap<Operation, string> = new Map(
  allOperations.map(({ id, operation }) => [operation, id]),
);

/** Binds an operation to its handler, whose types follow from the operation. */
export function implement<Declared extends Operation>(
  operation: Declared,
  handle: (call: CallOf<Declared>) => Promise<AnswerOf<Declared>>,
): Route {
  const operationId = ids.get(operation);
  if (operationId === undefined)
    throw new Error(
      `${operation.method} ${operation.path} is not a constant of packages/contract/src: export it from a file that subjects.ts lists`,
    );
  return { operationId, operation, handle };
}

/** The routes of an API, which has each operation once. @throws Error with the operations that are not bound */
export function routesOf(
  { operations }: Pick<Api, 'operations'>,
  routes: readonly Route[],
): readonly Route[] {
  const bound = routes.map(({ operationId }) => operationId);
  const missing = Object.keys(operations).filter(id => !bound.includes(id));
  if (missing.length > 0)
    throw new Error(
      `Without a handler: ${missing.join(', ')}. Add implement(…) to routes.ts of the feature; guards/operations.test.ts names the folder`,
    );
  const surplus = bound.filter((id, index) => !(id in operations) || bound.indexOf(id) !== index);
  if (surplus.length > 0)
    throw new Error(`Bound twice, or to another API: ${surplus.join(', ')}. Remove one implement(…)`);
  return routes;
}
