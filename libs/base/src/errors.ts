/**
 * Core error classes. Each error has a stable `code`, and an HTTP status if a client caused the error. The message contains the
 * configuration path, the invalid value, and a suggested fix.
 */

const brand = Symbol.for('sluice.error');

export interface ErrorDetails {
  /** Configuration path that precedes the message, such as `apps.http.servers.s.routes[3]`. */
  readonly where?: string | undefined;
  /** Source location to add to the message, such as `Caddyfile:12`. */
  readonly place?: string | undefined;
  /** HTTP status of the response to the client. Default: 500. */
  readonly status?: number | undefined;
  /** Underlying error, which appears in logs. */
  readonly cause?: unknown;
}

/**
 * Base class of all errors that Sluice throws deliberately. A shared symbol identifies these errors even if several copies of the package
 * are loaded.
 */
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

/** Reports whether an error is a {@link SluiceError}, even if another copy of this package created the error. */
export function isSluiceError(error: unknown): error is SluiceError {
  try {
    return typeof error === 'object' && error !== null && brand in error;
  } catch {
    return false; // Proxies with throwing traps end up here.
  }
}

/**
 * Creates the error for an invalid configuration, with status 400. Examples are an unknown module or key, a wrong type, and options that a
 * module rejects.
 */
export function configError(where: string, message: string, cause?: unknown): SluiceError {
  return new SluiceError('ERR_CONFIG', message, { where, status: 400, cause });
}

/** Creates the error for a configuration path that does not exist or passes through a scalar value. */
export function pathError(message: string, status = 400): SluiceError {
  return new SluiceError('ERR_CONFIG_PATH', message, { status });
}

/** Creates the error for a malformed JSON document or patch, with status 400. */
export function syntaxError(message: string, cause?: unknown): SluiceError {
  return new SluiceError('ERR_SYNTAX', message, { status: 400, cause });
}

const unreadable = 'unreadable error thrown';

/** Returns the message of any thrown value. Never throws, not even for a Proxy or an object with getters that throw. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return unreadable;
  }
}

/**
 * Returns the thrown value if it can be inspected safely. Otherwise, returns a plain error.
 *
 * Module code may throw a Proxy or an error with getters that throw. Reporting such an error must not fail. The reconciler calls this
 * function for all module errors.
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

/** Adds the configuration path to a provisioning error, unless the error already has one. */
export function located(error: unknown, where: string): SluiceError {
  if (isSluiceError(error) && error.where !== null) return error;
  return configError(where, messageOf(error), error);
}
