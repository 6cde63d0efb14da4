import { type FieldRegistry, type FileSuccess, type OperationId, operations } from '@kontor/contract';
import type { Static, TObject } from 'typebox';
import type { CheckedList } from '../collection/check.ts';
import type { Call, CreatedAnswer, FileAnswer, OkAnswer, Route, Upload } from './route.ts';

type Operations = typeof operations;

type BodyOf<Operation> = Operation extends { body: infer Body extends TObject }
  ? Static<Body>
  : Operation extends { upload: true }
    ? Upload
    : undefined;

/** A call of one operation: its parameters, body and list are those that the contract declares. */
export type CallOf<Id extends OperationId> = Omit<Call, 'parameters' | 'body' | 'list'> & {
  readonly parameters: { readonly [Name in keyof Operations[Id]['parameters']['properties']]: string };
  readonly body: BodyOf<Operations[Id]>;
  readonly list: Operations[Id] extends { fields: FieldRegistry } ? CheckedList : null;
};

/** What one operation answers with; a create that is only tried out answers 200. */
export type AnswerOf<Id extends OperationId> = Operations[Id]['success'] extends FileSuccess
  ? FileAnswer
  : Operations[Id]['success'] extends { status: 201 }
    ? CreatedAnswer | OkAnswer
    : OkAnswer;

type Handler<Id extends OperationId> = (call: CallOf<Id>) => Promise<AnswerOf<Id>>;

type Tag = Operations[OperationId]['tag'];

/** A handler for each operation that the contract has under these tags; without them for each that there is. */
export type Handlers<Of extends Tag = Tag> = {
  readonly [Id in OperationId as Operations[Id]['tag'] extends Of ? Id : never]: Handler<Id>;
};

/** Every operation of the contract, bound to its handler. */
export function routesOf(handlers: Handlers): Route[] {
  return Object.entries(operations).map(([operationId, operation]) => ({
    operationId,
    operation,
    handle: handlers[operationId as OperationId],
  }));
}
