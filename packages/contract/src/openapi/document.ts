/** A JSON Schema (2020-12) or a reference to one, as it stands in the document. */
export interface SchemaObject {
  [keyword: string]: unknown;
}

export interface Reference {
  $ref: string;
}

export interface ExampleObject {
  summary: string;
  value: unknown;
}

export interface MediaType {
  schema: SchemaObject | Reference;
  example?: unknown;
  examples?: Record<string, ExampleObject | Reference>;
  /** How the parts of a multipart body are encoded. */
  encoding?: Record<string, { contentType: string }>;
}

export interface HeaderObject {
  description: string;
  required: true;
  schema: SchemaObject;
  example: unknown;
}

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: SchemaObject;
  example?: unknown;
}

export interface ResponseObject {
  description: string;
  headers: Record<string, Reference>;
  content: Record<string, MediaType>;
}

export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: Record<string, string[]>[];
  parameters: (ParameterObject | Reference)[];
  requestBody?: { required: true; content: Record<string, MediaType> };
  responses: Record<string, ResponseObject>;
}

export type PathItem = { get?: OperationObject; post?: OperationObject; patch?: OperationObject };

/** The part of OpenAPI 3.1 that the contract uses. */
export interface OpenApiDocument {
  openapi: '3.1.1';
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
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
    examples: Record<string, ExampleObject>;
    schemas: Record<string, SchemaObject>;
  };
}
