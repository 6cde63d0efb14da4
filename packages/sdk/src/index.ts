export type { Answer, ApiPromise } from './answer.ts';
export type { Changes, ChangesOptions, ChangesPage } from './changes.ts';
export type * from './contract.ts';
export { version } from './contract.ts';
export type { Download } from './download.ts';
export * from './errors.ts';
export { Filter, filter, type FilterValue } from './filter.ts';
export { fold } from './fold.ts';
export { Kontor } from './kontor.ts';
export type { List, ListOptions } from './list.ts';
export type {
  AnswerEvent,
  AttemptEvent,
  CreateOptions,
  ErrorEvent,
  Fetch,
  FetchInit,
  FetchResponse,
  Hooks,
  KontorOptions,
  Logger,
  RequestOptions,
  RetryEvent,
  UpdateOptions,
  WriteOptions,
} from './options.ts';
export { type Outcome, type Reconciled, type ReconcileOptions, WriteOutcomeUnknown } from './outcome.ts';
export type { SavedFile, SaveOptions } from './save.ts';
export type { Upload, UploadOptions } from './upload.ts';
