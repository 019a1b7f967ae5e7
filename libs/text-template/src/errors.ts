/** Errors of templates. Each has a stable `code` and says which template and line it comes from. */

const brand = Symbol.for('sluice.template-error');
const limitBrand = Symbol.for('sluice.limit-error');

/** What went wrong: the text does not parse, an action failed, or a bound was passed. */
export type TemplateErrorCode = 'ERR_TEMPLATE_PARSE' | 'ERR_TEMPLATE_EXECUTION' | 'ERR_TEMPLATE_LIMIT';

/** Where in which template. */
export interface TemplateLocation {
  /** Name given to `Template.parse`. */
  readonly template: string;
  /** Line, from 1. */
  readonly line: number;
  /** Bytes before the place in its line; null where only the line is known. */
  readonly column: number | null;
}

/** The error of a template, with the message that Go gives: `template: NAME:LINE:COL: executing "NAME" at <…>: …`. */
export class TemplateError extends Error {
  readonly code: TemplateErrorCode;
  readonly location: TemplateLocation;

  constructor(code: TemplateErrorCode, message: string, location: TemplateLocation, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TemplateError';
    this.code = code;
    this.location = location;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Tells a {@link TemplateError} of any copy of this package from other errors. */
export function isTemplateError(error: unknown): error is TemplateError {
  return typeof error === 'object' && error !== null && brand in error;
}

/** A bound of {@link Limits} was passed. The interpreter gives it its place. */
export class LimitError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LimitError';
    Object.defineProperty(this, limitBrand, { value: true });
  }
}

/** The error of a parser, at a line. */
export function parseError(template: string, line: number, message: string): TemplateError {
  return new TemplateError('ERR_TEMPLATE_PARSE', `template: ${template}:${line}: ${message}`, {
    template,
    line,
    column: null,
  });
}

/** The text of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Tells whether an error, or one it wraps, is of a bound. */
export function isLimit(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (limitBrand in at || (isTemplateError(at) && at.code === 'ERR_TEMPLATE_LIMIT')) return true;
  }
  return false;
}
