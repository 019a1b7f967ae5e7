/** Errors of Caddyfiles: a message, and the place in the file. */
import { SluiceError } from '@sluice/base';
import type { ImportSite, CaddyfileToken } from './token.ts';

const brand = Symbol.for('sluice.caddyfile-error');

/** A place in a file; line and column are counted from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** What stands there. */
  readonly text?: string;
  /** The imports that led there, innermost last. */
  readonly imports?: readonly ImportSite[];
}

/** What is wrong with a Caddyfile. Its message names file and line; `position` has the column too. */
export class CaddyfileError extends SluiceError {
  readonly position: Position | null;

  constructor(message: string, position: Position | null, cause?: unknown) {
    super('ERR_ADAPTER', message, { status: 400, cause });
    this.name = 'CaddyfileError';
    this.position = position;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Tells a {@link CaddyfileError} of any copy of this package. */
export function isCaddyfileError(error: unknown): error is CaddyfileError {
  return typeof error === 'object' && error !== null && brand in error;
}

/**
 * Returns an error whose message names no place, because the reference's does not or `cause` names it. The place is that of
 * `cause`, otherwise `place`; {@link withPlace} adds it to the message at the end.
 */
export function caddyfileError(message: string, cause: unknown, place: Position | undefined): CaddyfileError {
  return new CaddyfileError(message, positionIn(cause) ?? place ?? null, cause);
}

/** Returns an error whose message names file and line, if it is an error of a Caddyfile: `message, at Caddyfile:3`. */
export function withPlace(error: unknown): unknown {
  if (!isCaddyfileError(error) || error.position === null) return error;
  const { file, line } = error.position;
  if (/(?:, at \S*:|on line #)\d/.test(error.message) || error.message.includes(`${file}:${line}:`)) return error;
  return new CaddyfileError(`${error.message}, at ${placeOf(error.position)}`, error.position, error.cause);
}

/** The place of an error, which is more exact than that of the one around it. */
function positionIn(error: unknown): Position | null {
  return isCaddyfileError(error) ? error.position : null;
}

/** `message, at Caddyfile:3 import chain ['Caddyfile:9 (import x)']`. At line 0 the place is left to the caller. */
export function errorAt(token: CaddyfileToken, message: string, cause?: unknown): CaddyfileError {
  if (token.line === 0) return new CaddyfileError(message, positionIn(cause), cause);
  return new CaddyfileError(`${message}, at ${placeOf(token)}`, positionIn(cause) ?? token, cause);
}

function placeOf({ file, line, imports = [] }: Position): string {
  return `${file}:${line}${imports.length === 0 ? '' : ` import chain ['${chainOf(imports)}']`}`;
}

/** `Caddyfile:3: message`, for what is found out about a directive by whoever looks it up. */
export function errorOnLine(token: CaddyfileToken, message: string): CaddyfileError {
  return new CaddyfileError(`${token.file}:${token.line}: ${message}`, token);
}

/** A token where another was expected. */
export function unexpectedToken(token: CaddyfileToken, expected: string): CaddyfileError {
  return new CaddyfileError(
    `syntax error: unexpected token '${token.text}', expecting '${expected}', at ${placeOf(token)}`,
    token,
  );
}

function chainOf(imports: readonly ImportSite[]): string {
  return imports
    .map(({ file, line, snippet }) => `${file}:${line} (import${snippet === '' ? '' : ` ${snippet}`})`)
    .join("','");
}
