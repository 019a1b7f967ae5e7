/** Debug log for the attempts of a request. */
import type { Exchange } from '@sluice/http-app';
import { type Logger, type LogFields } from '@sluice/base';

export class RoundtripLog {
  readonly #log: Logger;
  readonly #verbose: boolean;

  /** `verbose` adds the request to log entries. */
  constructor(log: Logger, verbose: boolean) {
    this.#log = log;
    this.#verbose = verbose;
  }

  /** Logs the start of a response. `milliseconds` is the time since the request was sent. */
  responded(exchange: Exchange, upstream: string, status: number, milliseconds: number): void {
    if (this.#log.enabled('debug')) this.#write(exchange, { upstream, status, duration: milliseconds / 1000 });
  }

  /** Logs that a request received no response. */
  failed(exchange: Exchange, upstream: string, error: Error, milliseconds: number): void {
    if (this.#log.enabled('debug'))
      this.#write(exchange, { upstream, error: error.message, duration: milliseconds / 1000 });
  }

  /** Logs that the evaluation of `retry_match` has failed. */
  notMatched({ method, host, uri }: Exchange, problem: unknown): void {
    this.#log.warn('retry_match failed; not retrying the request', {
      method,
      host,
      uri,
      error: problem,
    });
  }

  #write({ method, host, uri }: Exchange, fields: LogFields): void {
    this.#log.debug('upstream roundtrip', this.#verbose ? { ...fields, method, host, uri } : fields);
  }
}
