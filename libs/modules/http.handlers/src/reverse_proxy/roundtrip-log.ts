/** What each try of a request came to, for those who look closely: entries of level debug. */
import type { Exchange } from '@sluice/http-app';
import { type Logger, type LogFields } from '@sluice/base';

/** Writes the entries of one proxy. */
export class RoundtripLog {
  readonly #log: Logger;
  readonly #verbose: boolean;

  /** `verbose`: entries tell of the request too. */
  constructor(log: Logger, verbose: boolean) {
    this.#log = log;
    this.#verbose = verbose;
  }

  /** The upstream began to respond; `milliseconds` after it was asked. */
  responded(exchange: Exchange, upstream: string, status: number, milliseconds: number): void {
    if (this.#log.enabled('debug')) this.#write(exchange, { upstream, status, duration: milliseconds / 1000 });
  }

  /** It did not. */
  failed(exchange: Exchange, upstream: string, error: Error, milliseconds: number): void {
    if (this.#log.enabled('debug'))
      this.#write(exchange, { upstream, error: error.message, duration: milliseconds / 1000 });
  }

  /** `retry_match` could not be asked: its matchers failed. */
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
