/*
 * A write with an `Idempotency-Key` is stored at most once. Its row is stored in its transaction. A key has these states:
 *
 * | state     | row | the same request                                          | another request       |
 * | --------- | --- | --------------------------------------------------------- | --------------------- |
 * | free      | no  | is decided as any other; stored: the key is used          | the same              |
 * | in flight | no  | waits: in the queue by its target, elsewhere by the clock | waits, is then 422    |
 * | used      | yes | is replayed: it stores nothing, and answers as the first  | 422 VALIDATION_ERROR  |
 *
 * A rejection and a rollback leave the key free. A used key is free again after 24 hours (`jobs/idempotency-keys.ts`), and after the erasure of
 * the person. A replay is a write: its commit waits for the standby, and so for that of the first request.
 */
import { ApiError, unprocessable } from '@kontor/contract';
