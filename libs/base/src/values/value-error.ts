import { SluiceError } from '../errors.ts';

/**
 * Creates an error with status 400 for an invalid value, such as a duration, address, or pattern. The configuration path is not available
 * to parsers, so `where` is null. The code that provisions a module adds the path with `located`.
 */
export function valueError(message: string, cause?: unknown): SluiceError {
  return new SluiceError('ERR_VALUE', message, { status: 400, cause });
}

/** Formats a value for error messages, as JSON truncated to 100 characters. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 100 ? `${text.slice(0, 97)}…` : text;
}
