import {
  type ApiName,
  apis,
  type FieldRegistry,
  type FileSuccess,
  type Operation,
  type OperationsOf,
} from '@kontor/contract';
import type { Static, TObject } from 'typebox';
import type { CheckedList } from '../collection/check.ts';
import type { Call, CreatedAnswer, FileAnswer, OkAnswer, Route, Upload } from './route.ts';

/** All operations by identifier, of which no two APIs have one in common. */
type Operations = Intersection<{ [Name in ApiName]: OperationsOf<Name> }[ApiName]>;

type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  whole: infer Whole,
) => void
  ? Whole
  : never;

type OperationId = keyof Operations;

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

type TagOf<Name extends ApiName> = Extract<OperationsOf<Name>[keyof OperationsOf<Name>], Operation>['tag'];

/** A handler for each operation that an API has under these tags; without them for each that it has. */
export type HandlersOf<Name extends ApiName, Tag extends TagOf<Name> = TagOf<Name>> = {
  readonly [
    Id in keyof OperationsOf<Name> & OperationId as Operations[Id]['tag'] extends Tag ? Id : never
  ]: Handler<Id>;
};

/** Those of the public API. */
export type Handlers<Tag extends TagOf<'public'> = TagOf<'public'>> = HandlersOf<'public', Tag>;

/** Every operation of an API, bound to its handler. */
export function routesOf<Name extends ApiName>(name: Name, handlers: HandlersOf<Name>): Route[] {
  const bound = handlers as Readonly<Record<string, Route['handle']>>;
  return Object.entries<Operation>(apis[name].operations).map(([operationId, operation]) => ({
    operationId,
    operation,
    handle: bound[operationId]!,
  }));
}
