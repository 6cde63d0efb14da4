/** A result with what HTTP said about it. */
export interface Answer<T> {
  /** The result. */
  readonly data: T;
  /** The HTTP response. Its body has been read, unless it is a download. */
  readonly response: Response;
  /** The `X-Request-ID`, under which the service logs the request. */
  readonly requestId: string;
}

/** A promise of the result, which can be had with the response as well. */
export interface ApiPromise<T> extends Promise<T> {
  /** The result with the response and the identifier of the request. */
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
