/** A result with what HTTP said about it. */
export interface Answer<T> {
  readonly data: T;
  /** Its body has been read. */
  readonly response: Response;
  readonly requestId: string;
}

/** A promise of the result, which can be had with the response as well. */
export interface ApiPromise<T> extends Promise<T> {
  withResponse(): Promise<Answer<T>>;
}

export function apiPromise<T>(answer: Promise<Answer<T>>): ApiPromise<T> {
  const data = answer.then(({ data }) => data);
  const withResponse = () => {
    // The caller waits for the answer instead, and handles its rejection.
    data.catch(() => {});
    return answer;
  };
  return Object.assign(data, { withResponse });
}
