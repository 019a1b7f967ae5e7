/** Template errors. Each error has a stable `code`, the template name and the line number. */

const brand = Symbol.for('sluice.template-error');
const limitBrand = Symbol.for('sluice.limit-error');

/** Error codes for a syntax error, a failed action, and an exceeded limit. */
export type TemplateErrorCode = 'ERR_TEMPLATE_PARSE' | 'ERR_TEMPLATE_EXECUTION' | 'ERR_TEMPLATE_LIMIT';

export interface TemplateLocation {
  /** Template name that was passed to `Template.parse`. */
  readonly template: string;
  /** 1-based line number. */
  readonly line: number;
  /** Byte offset within the line, or null if only the line is known. */
  readonly column: number | null;
}

/** A template error with the same message as in Go: `template: NAME:LINE:COL: executing "NAME" at <…>: …`. */
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

/** Reports whether an error is a {@link TemplateError}. Also recognizes errors created by another copy of this package. */
export function isTemplateError(error: unknown): error is TemplateError {
  return typeof error === 'object' && error !== null && brand in error;
}

/** Thrown when a limit of {@link Limits} is exceeded. The interpreter adds the location in the template. */
export class LimitError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LimitError';
    Object.defineProperty(this, limitBrand, { value: true });
  }
}

export function parseError(template: string, line: number, message: string): TemplateError {
  return new TemplateError('ERR_TEMPLATE_PARSE', `template: ${template}:${line}: ${message}`, {
    template,
    line,
    column: null,
  });
}

/** Returns the error message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Reports whether an error or one of its causes is a limit error. */
export function isLimit(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (limitBrand in at || (isTemplateError(at) && at.code === 'ERR_TEMPLATE_LIMIT')) return true;
  }
  return false;
}
