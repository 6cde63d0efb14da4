export { EmbeddedPostgresError } from './error.ts';
export { openEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './visit.ts';
export type { SocketTarget } from './socket-path.ts';
