export * from './errors.ts';
export * from './fields.ts';
export * from './filter/ast.ts';
export * from './operations.ts';
export * from './resources/employee.ts';
export * from './resources/health.ts';
export * from './resources/list.ts';
export * from './schema.ts';
