/** Log entries for errors that handlers throw: `http.log.error`. */
import { codeField, messageOf } from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';
import { isUnexpected, statusOf } from '../errors.ts';
import type { HostLoggers } from './host-loggers.ts';
import { requestObject } from './request-fields.ts';

export class ErrorLog {
  readonly #loggers: HostLoggers;
  readonly #showCredentials: boolean;

  constructor(loggers: HostLoggers, showCredentials: boolean) {
    this.#loggers = loggers;
    this.#showCredentials = showCredentials;
  }

  /**
   * Logs an error. The level is debug if the error routes sent a response, or if the server didn't cause the error. An unexpected exception
   * is logged as a bug.
   */
  write(exchange: Exchange, error: unknown, handled: boolean): void {
    const status = statusOf(error);
    const level = (handled || status < 500) && !isUnexpected(error) ? 'debug' : 'error';
    for (const logger of this.#loggers.ofError(exchange.originalHost)) {
      if (!logger.enabled(level)) continue;
      logger[level](messageOf(error), {
        ...this.#common(exchange),
        status,
        ...codeOf(error),
        err_id: exchange.errorId,
        err_trace: traceOf(error),
        ...(isUnexpected(error) ? exchange.placeOf(error) : {}),
        ...stackOf(error),
      });
    }
  }

  /** Logs that the client did not receive the complete response. */
  writeCut(exchange: Exchange): void {
    const { writer } = exchange;
    for (const logger of this.#loggers.ofError(exchange.originalHost)) {
      if (!logger.enabled('error')) continue;
      const { broken: error, status, size } = writer;
      logger.error('incomplete response', { ...this.#common(exchange), error, status, size });
    }
  }

  /** Logs that the error routes also failed. */
  writeSecond(exchange: Exchange, first: unknown, second: unknown): void {
    for (const logger of this.#loggers.ofError(exchange.originalHost)) {
      if (!logger.enabled('error')) continue;
      logger.error('error handling handler error', {
        ...this.#common(exchange),
        error: messageOf(second),
        ...codeOf(second),
        first_error: {
          msg: messageOf(first),
          status: statusOf(first),
          err_id: exchange.errorId,
          err_trace: traceOf(first),
        },
      });
    }
  }

  #common(exchange: Exchange): Record<string, unknown> {
    return {
      request: requestObject(exchange, this.#showCredentials),
      duration: performance.now() - exchange.startedAt,
    };
  }
}

/** Returns the code location where an error was thrown: `handle (…/error/index.js:20:13)`. */
function traceOf(error: unknown): string {
  const frame = error instanceof Error ? /^\s+at (.*)$/m.exec(error.stack ?? '')?.[1] : undefined;
  return frame ?? '';
}

/** Returns an error's code. Deliberate handler errors are logged with a status and Caddy's fields, not with a code. */
function codeOf(error: unknown): { readonly code?: string } {
  return isOnPurpose(error) ? {} : codeField(error);
}

/** Returns the stack of an unexpected exception. Deliberate handler errors are logged without a stack. */
function stackOf(error: unknown): { readonly stack?: string | undefined } {
  return isOnPurpose(error) || !(error instanceof Error) ? {} : { stack: error.stack };
}

function isOnPurpose(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_HTTP';
}
