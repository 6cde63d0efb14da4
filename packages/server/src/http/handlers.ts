import {
  ApiError,
  type ApiName,
  type FieldRegistry,
  type FileSuccess,
  type Operation,
  type OperationsOf,
  apis,
  contractVersion,
} from '@kontor/contract';
import type { Static, TObject } from 'typebox';
import type { CheckedList } from '../query/check.ts';
import {
  type Batch,
  type Call,
  type CreatedAnswer,
  type FileAnswer,
  type OkAnswer,
  type Route,
  type Upload,
  ok,
} from './route.ts';

/** All operations by identifier. Identifiers are unique across the APIs. */
type Operations = Intersection<{ [Name in ApiName]: OperationsOf<Name> }[ApiName]>;

type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  whole: infer Whole,
) => void
  ? Whole
  : never;

type OperationId = keyof Operations;

type BodyOf<Operation> = Operation extends { batch: true; body: infer Body extends TObject }
  ? Batch<LineOf<Static<Body>>>
  : Operation extends { body: infer Body extends TObject }
    ? Static<Body>
    : Operation extends { upload: true }
      ? Upload
      : undefined;

type LineOf<Body> = Body extends { items: (infer Line)[] } ? Line : never;

type CallTo<Operation> = Omit<Call, 'parameters' | 'body' | 'list'> & {
  readonly parameters: Operation extends { parameters: { properties: infer Properties } }
    ? { readonly [Name in keyof Properties]: string }
    : never;
  readonly body: BodyOf<Operation>;
  readonly list: Operation extends { fields: FieldRegistry } ? CheckedList : null;
};

type AnswerTo<Operation> = Operation extends { success: FileSuccess }
  ? FileAnswer
  : Operation extends { success: { status: 201 } }
    ? CreatedAnswer | OkAnswer
    : OkAnswer;

export type CallOf<Id extends OperationId> = CallTo<Operations[Id]>;

/** The answer of one operation. A dry run of a create returns 200. */
export type AnswerOf<Id extends OperationId> = AnswerTo<Operations[Id]>;

type HandlerTo<Operation> = (call: CallTo<Operation>) => Promise<AnswerTo<Operation>>;

type TagOf<Name extends ApiName> = TagIn<OperationsOf<Name>>;
type TagIn<Declared> = {
  [Id in keyof Declared]: Declared[Id] extends { tag: infer Tag } ? Tag : never;
}[keyof Declared];

/** The handlers of an API's operations with these tags; of all operations without a tag. */
export type HandlersOf<Name extends ApiName, Tag extends TagOf<Name> = TagOf<Name>> = HandlersIn<
  OperationsOf<Name>,
  Tag
>;
type HandlersIn<Declared, Tag> = {
  readonly [Id in keyof Declared as Declared[Id] extends { tag: Tag } ? Id : never]: HandlerTo<Declared[Id]>;
};

export type Handlers<Tag extends TagOf<'public'> = TagOf<'public'>> = HandlersOf<'public', Tag>;

export function routesOf<Name extends ApiName>(name: Name, handlers: HandlersOf<Name>): Route[] {
  const bound = handlers as Readonly<Record<string, Route['handle']>>;
  return Object.entries<Operation>(apis[name].operations).map(([operationId, operation]) => ({
    operationId,
    operation,
    handle: bound[operationId]!,
  }));
}

/** `GET /health`: 200, or 503 while `healthy` resolves to false (specification.md 5.8). */
export function healthHandlers(healthy: () => Promise<boolean>): Handlers<'Health'> {
  const body = JSON.stringify({ status: 'ok', version: contractVersion });
  return {
    async getHealth() {
      if (!(await healthy()))
        throw new ApiError('SERVICE_UNAVAILABLE', 'The service cannot answer at the moment; try again later');
      return ok(body);
    },
  };
}
