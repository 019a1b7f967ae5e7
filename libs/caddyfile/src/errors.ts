/** Caddyfile errors, which consist of a message and a source position. */
import { SluiceError } from '@sluice/base';
import type { ImportSite, CaddyfileToken } from './token.ts';

const brand = Symbol.for('sluice.caddyfile-error');

export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly text?: string;
  /** Chain of imports, with the innermost import last. */
  readonly imports?: readonly ImportSite[];
}

/** Error in a Caddyfile. The message includes the file and line. `position` also includes the column. */
export class CaddyfileError extends SluiceError {
  readonly position: Position | null;

  constructor(message: string, position: Position | null, cause?: unknown) {
    super('ERR_ADAPTER', message, { status: 400, cause });
    this.name = 'CaddyfileError';
    this.position = position;
    Object.defineProperty(this, brand, { value: true });
  }
}

export function isCaddyfileError(error: unknown): error is CaddyfileError {
  return typeof error === 'object' && error !== null && brand in error;
}

/**
 * Creates an error without a position in its message. Caddy's message has no position here, or the message of `cause` already includes one.
 * The error's `position` is the position of `cause` if known, otherwise `place`. {@link withPlace} adds the position to the message.
 */
export function caddyfileError(message: string, cause: unknown, place: Position | undefined): CaddyfileError {
  return new CaddyfileError(message, positionIn(cause) ?? place ?? null, cause);
}

/** Adds the file and line to the message of a Caddyfile error: `message, at Caddyfile:3`. */
export function withPlace(error: unknown): unknown {
  if (!isCaddyfileError(error) || error.position === null) return error;
  const { file, line } = error.position;
  if (/(?:, at \S*:|on line #)\d/.test(error.message) || error.message.includes(`${file}:${line}:`)) return error;
  return new CaddyfileError(`${error.message}, at ${placeOf(error.position)}`, error.position, error.cause);
}

function positionIn(error: unknown): Position | null {
  return isCaddyfileError(error) ? error.position : null;
}

/**
 * Creates an error of the form `message, at Caddyfile:3 import chain ['Caddyfile:9 (import x)']`. If the line is 0, the caller adds the
 * position.
 */
export function errorAt(token: CaddyfileToken, message: string, cause?: unknown): CaddyfileError {
  if (token.line === 0) return new CaddyfileError(message, positionIn(cause), cause);
  return new CaddyfileError(`${message}, at ${placeOf(token)}`, positionIn(cause) ?? token, cause);
}

function placeOf({ file, line, imports = [] }: Position): string {
  return `${file}:${line}${imports.length === 0 ? '' : ` import chain ['${chainOf(imports)}']`}`;
}

/** Creates an error of the form `Caddyfile:3: message`, for problems found during directive lookup. */
export function errorOnLine(token: CaddyfileToken, message: string): CaddyfileError {
  return new CaddyfileError(`${token.file}:${token.line}: ${message}`, token);
}

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
