import type { Command } from './sandbox.ts';

/** A way to make a client from the contract, and to see that it works. */
export interface Client {
  /** The row of the table. */
  readonly name: string;
  readonly version: string;
  /** `typescript`, `python` and so on: the name that `--only` takes, too. */
  readonly language: string;
  /** Programs that must be there. */
  readonly needs: readonly string[];
  /** Installs, generates and builds in the folder. @throws StepFailed. */
  make(folder: string): Promise<void>;
  /** Runs the session; it prints a line `ok STEP` for each step. */
  readonly session: (folder: string) => Command;
  /** How to use it, for the table. */
  readonly advice: string;
}

/** What every session does, in this order; the last ones are the errors by their status. */
export const steps = [
  'list',
  'page',
  'get',
  'create',
  'dry run',
  'update',
  'decide',
  'upload',
  'download document',
  'download payroll',
  '400',
  '401',
  '403',
  '404',
  '406',
  '409',
  '413',
  '415',
  '422',
  '429',
  '500',
  '502',
  '503',
  '504',
] as const;
