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

/** An error whose message names no place, as it is about the whole or `cause` says it; editors show it at `place`. */
export function caddyfileError(message: string, cause?: unknown, place: Position | null = null): CaddyfileError {
  return new CaddyfileError(message, positionIn(cause) ?? place, cause);
}

/** The place of an error, which is more exact than that of the one around it. */
function positionIn(error: unknown): Position | null {
  return isCaddyfileError(error) ? error.position : null;
}

/** `message, at Caddyfile:3 import chain ['Caddyfile:9 (import x)']` */
export function errorAt(token: CaddyfileToken, message: string, cause?: unknown): CaddyfileError {
  const chain = token.imports.length === 0 ? '' : ` import chain ['${chainOf(token.imports)}']`;
  return new CaddyfileError(`${message}, at ${token.file}:${token.line}${chain}`, positionIn(cause) ?? token, cause);
}

/** `Caddyfile:3: message`, for what is found out about a directive by whoever looks it up. */
export function errorOnLine(token: CaddyfileToken, message: string): CaddyfileError {
  return new CaddyfileError(`${token.file}:${token.line}: ${message}`, token);
}

/** A token where another was expected. */
export function unexpectedToken(token: CaddyfileToken, expected: string): CaddyfileError {
  return new CaddyfileError(
    `syntax error: unexpected token '${token.text}', expecting '${expected}', at ${token.file}:${token.line} import chain: ['${chainOf(token.imports)}']`,
    token,
  );
}

function chainOf(imports: readonly ImportSite[]): string {
  return imports
    .map(({ file, line, snippet }) => `${file}:${line} (import${snippet === '' ? '' : ` ${snippet}`})`)
    .join("','");
}
