/**
 * A copy of an error of `fetch` with its name, message, stack and code, and without secrets. An error of another library may have the
 * whole request, so nothing else is copied.
 */
export function redactError(error: unknown, secrets: readonly string[], depth = 0): Error {
  if (!(error instanceof Error)) return new Error(redactText(String(error), secrets));
  const hasCause = error.cause !== undefined && depth < 5;
  const copy = new Error(
    redactText(error.message, secrets),
    hasCause ? { cause: redactError(error.cause, secrets, depth + 1) } : undefined,
  );
  copy.name = error.name;
  copy.stack = redactText(error.stack ?? '', secrets);
  if ('code' in error && typeof error.code === 'string') Object.assign(copy, { code: error.code });
  return copy;
}

export function redactHeaders(headers: Headers, secrets: readonly string[]): Headers {
  return new Headers(Array.from(headers, ([name, value]) => [name, redactText(value, secrets)]));
}

/** A text without the key of the call and the query of its address, which has the values of filters. */
export function redactText(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '[redacted]')),
    text,
  );
}
