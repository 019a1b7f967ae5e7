/** The error that all parsers of single values share. */
import { SluiceError } from '../errors.ts';

/**
 * A value that cannot be read: a duration, an address, a pattern. Status 400. It carries no place in the configuration
 * (`where` is null), because parsers do not know it: who provisions a module adds it with `located`.
 */
export function valueError(message: string, cause?: unknown): SluiceError {
  return new SluiceError('ERR_VALUE', message, { status: 400, cause });
}

/** A value as messages show it: quoted as JSON, cut after 100 characters. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 100 ? `${text.slice(0, 97)}…` : text;
}
