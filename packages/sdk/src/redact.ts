/**
 * A copy of an error of `fetch` with its name, message, stack and code, and without the key. An error of another library may have the
 * whole request, so nothing else is copied.
 */
export function redactError(error: unknown, key: string, depth = 0): Error {
  if (!(error instanceof Error)) return new Error(redactText(String(error), key));
  const hasCause = error.cause !== undefined && depth < 5;
  const copy = new Error(
    redactText(error.message, key),
    hasCause ? { cause: redactError(error.cause, key, depth + 1) } : undefined,
  );
  copy.name = error.name;
  copy.stack = redactText(error.stack ?? '', key);
  if ('code' in error && typeof error.code === 'string') Object.assign(copy, { code: error.code });
  return copy;
}

export function redactHeaders(headers: Headers, key: string): Headers {
  return new Headers(Array.from(headers, ([name, value]) => [name, redactText(value, key)]));
}

export function redactText(text: string, key: string): string {
  return text.replaceAll(key, '[redacted]');
}
