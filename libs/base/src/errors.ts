/**
 * Errors of the core. Each has a stable `code`, an HTTP status where a client caused it, and a message that says
 * where (`apps.http.servers.s.routes[3].handle[1].body`), what arrived and what to do.
 */

const brand = Symbol.for('sluice.error');

/** What an error may carry beside its message. */
export interface ErrorDetails {
  /** Where in the configuration, as `apps.http.servers.s.routes[3]`; prefixed to the message. */
  readonly where?: string | undefined;
  /** Where that was written, as `Caddyfile:12`; beside it in the message. */
  readonly place?: string | undefined;
  /** HTTP status for the client that caused it. Default 500. */
  readonly status?: number | undefined;
  /** The error underneath, kept for logs. */
  readonly cause?: unknown;
}

/** Base of every error that Sluice raises on purpose; recognised across copies of the package by a shared symbol. */
export class SluiceError extends Error {
  readonly code: string;
  readonly status: number;
  readonly where: string | null;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(
      details.where === undefined || details.where === '' ? message : `${placeText(details)}: ${message}`,
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.name = 'SluiceError';
    this.code = code;
    this.status = details.status ?? 500;
    this.where = details.where ?? null;
    Object.defineProperty(this, brand, { value: true });
  }
}

function placeText({ where = '', place }: ErrorDetails): string {
  return place === undefined ? where : `${where} (${place})`;
}

/** Tells a {@link SluiceError} of any copy of this package from other errors. */
export function isSluiceError(error: unknown): error is SluiceError {
  try {
    return typeof error === 'object' && error !== null && brand in error;
  } catch {
    return false; // A Proxy whose traps throw.
  }
}

/** The configuration is wrong: unknown module, unknown key, wrong type, or a module refused its options. Status 400. */
export function configError(where: string, message: string, cause?: unknown): SluiceError {
  return new SluiceError('ERR_CONFIG', message, { where, status: 400, cause });
}

/** A path of the configuration API leads nowhere or through a value that cannot be entered. Default status 400. */
export function pathError(message: string, status = 400): SluiceError {
  return new SluiceError('ERR_CONFIG_PATH', message, { status });
}

/** A JSON document or patch that cannot be read. Status 400. */
export function syntaxError(message: string, cause?: unknown): SluiceError {
  return new SluiceError('ERR_SYNTAX', message, { status: 400, cause });
}

/** The message for values that throw when they are read. */
const unreadable = 'an error that cannot be read was thrown';

/** Returns the text of anything thrown. Never throws itself, also for a Proxy or an object whose getters throw. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return unreadable;
  }
}

/**
 * Returns what was thrown if it can be looked at, and a plain error otherwise. Code of modules may throw a Proxy, or an error whose getters
 * throw: what reports the error must not fail for that. Used where errors of modules enter the reconciler.
 */
export function readableError(error: unknown): unknown {
  if (typeof error === 'function' || (typeof error === 'object' && error !== null)) {
    try {
      if (!(error instanceof Error)) {
        String(error);
        return error;
      }
      const { name, message, stack, cause } = error;
      if (typeof name !== 'string' || typeof message !== 'string' || (stack !== undefined && typeof stack !== 'string'))
        return thrown(messageOf(error));
      for (const key of Object.keys(error)) void (error as unknown as Readonly<Record<string, unknown>>)[key];
      void (error as { readonly code?: unknown }).code;
      if (cause !== undefined && readableError(cause) !== cause) return thrown(message);
    } catch {
      return thrown(unreadable);
    }
  }
  return error;
}

function thrown(message: string): SluiceError {
  return new SluiceError('ERR_THROWN', message);
}

/** Gives any error of a module's provision its place in the configuration, once. */
export function located(error: unknown, where: string): SluiceError {
  if (isSluiceError(error) && error.where !== null) return error;
  return configError(where, messageOf(error), error);
}
