/** A JSON Schema (2020-12), or a reference to one. */
export interface SchemaObject {
  [keyword: string]: unknown;
}

export interface Reference {
  $ref: string;
}

export interface ExampleObject {
  summary?: string;
  value: unknown;
}

export interface MediaType {
  schema: SchemaObject | Reference;
  example?: unknown;
  examples?: Record<string, ExampleObject | Reference>;
}

export interface HeaderObject {
  description: string;
  required: boolean;
  schema: SchemaObject;
  example?: unknown;
}

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: SchemaObject;
  example?: unknown;
}

/** A link from a response to an operation. Its parameters are runtime expressions. */
export interface LinkObject {
  operationId: string;
  parameters: Record<string, string>;
}

export interface ResponseObject {
  description: string;
  headers: Record<string, Reference>;
  content: Record<string, MediaType>;
  links?: Record<string, LinkObject>;
}

export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: Record<string, string[]>[];
  parameters: (ParameterObject | Reference)[];
  requestBody?: { required: boolean; content: Record<string, MediaType> };
  responses: Record<string, ResponseObject | Reference>;
}

export type PathItem = {
  get?: OperationObject;
  post?: OperationObject;
  patch?: OperationObject;
  delete?: OperationObject;
};

export interface OpenApiDocument {
  openapi: '3.1.1';
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    contact: { name: string };
    license: { name: string; identifier: string };
  };
  servers: {
    url: string;
    description: string;
    variables: Record<string, { default: string; description: string }>;
  }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  components: {
    securitySchemes: Record<string, SchemaObject>;
    parameters: Record<string, ParameterObject>;
    headers: Record<string, HeaderObject>;
    responses: Record<string, ResponseObject>;
    examples: Record<string, ExampleObject>;
    schemas: Record<string, SchemaObject>;
  };
}

/** The responses of an operation by status, with shared ones resolved. */
export function responsesIn(
  { components }: Pick<OpenApiDocument, 'components'>,
  operation: OperationObject,
): [status: number, response: ResponseObject][] {
  return Object.entries(operation.responses).map(([status, response]) => [
    Number(status),
    '$ref' in response ? components.responses[response.$ref.split('/').at(-1)!]! : response,
  ]);
}

/** The error codes of a response, from the names of its examples; empty if it is not an error. */
export function codesIn({ content }: ResponseObject): string[] {
  const names = Object.keys(content['application/json']?.examples ?? {});
  return names.map(name => name.replace(/_[0-9]{3}$/, ''));
}
