/** What a write of the workload stores. */
export type ResourceType = 'employee' | 'division' | 'incident' | 'employee_order';

/** What is known of a write: acknowledged by a 2xx, rejected by a 4xx, or neither, when it may have happened or not. */
export type Outcome =
  | { readonly state: 'acknowledged'; readonly body: any }
  | { readonly state: 'rejected' }
  | { readonly state: 'unknown'; readonly message: string | null };

/** A write that was sent. The mark is its own, and stands in what it stores. */
export interface Write {
  readonly resourceType: ResourceType;
  readonly mark: string;
  /** What it changes; null: it creates something. */
  readonly target: string | null;
  /** Fields that what it stores must have. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** That of its request; null until it is sent. */
  requestId: string | null;
  /** Unknown from the moment on that it is sent. */
  outcome: Outcome;
}

/** A write that is not sent yet. */
export function newWrite(write: Pick<Write, 'resourceType' | 'mark' | 'target' | 'fields'>): Write {
  return { ...write, requestId: null, outcome: { state: 'unknown', message: null } };
}
