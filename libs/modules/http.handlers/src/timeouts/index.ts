/** `http.handlers.timeouts`: time-outs of single routes. */
import { httpHandlers, type Exchange, type HttpHandler, type Next } from '@sluice/http-app';
import { defineModule, integer, options, type Options } from '@sluice/registry';
import { PacedBody } from './paced-body.ts';
import { PacedResponse } from './paced-response.ts';

const timeoutsOptions = options({
  read_timeout: integer(
    'Longest time for the request body to arrive from now on, in nanoseconds. 0: as the server has it. Negative: none.',
  ),
  read_min_rate: integer('Bytes a second of the request body that buy more time than read_timeout. 0: none.'),
  write_timeout: integer(
    'Longest time for the answer to be written from now on, in nanoseconds. 0: as the server has it. Negative: none.',
  ),
  write_min_rate: integer('Bytes a second of the answer that buy more time than write_timeout. 0: none.'),
  max_write_chunk: integer('Largest single write, in bytes; larger ones are split. 0: any.'),
});

/** The module. */
export const timeoutsModule = defineModule(httpHandlers, {
  name: 'timeouts',
  help: 'Replaces the time-outs of the server for the requests that pass. A request body that is too slow fails with 408; an answer that is too slow is cut.',
  config: timeoutsOptions,
  provision: (config) => new Timeouts(config),
});

class Timeouts implements HttpHandler {
  /** Milliseconds; 0: leave it, Infinity: none. */
  readonly #read: number;
  readonly #readRate: number;
  readonly #write: number;
  readonly #writeRate: number;
  readonly #maxWrite: number;

  constructor(config: Options<typeof timeoutsOptions>) {
    this.#read = milliseconds(config.read_timeout);
    this.#readRate = Math.max(0, config.read_min_rate ?? 0);
    this.#write = milliseconds(config.write_timeout);
    this.#writeRate = Math.max(0, config.write_min_rate ?? 0);
    this.#maxWrite = Math.max(0, config.max_write_chunk ?? 0);
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    const { connection } = exchange;
    const now = performance.now();
    if (this.#read !== 0) {
      connection.setDeadline?.('body', now + this.#read);
      if (this.#readRate > 0 && exchange.body.length !== 0 && exchange.body.buffered() === null)
        exchange.body = new PacedBody(exchange.body, connection, now + this.#read, this.#readRate);
    }
    if (this.#write !== 0) connection.setDeadline?.('answer', now + this.#write);
    const paced = this.#write !== 0 && this.#writeRate > 0;
    if (!paced && this.#maxWrite === 0) return next(exchange);
    const inner = exchange.response;
    exchange.response = new PacedResponse(inner, {
      connection: paced ? connection : null,
      deadline: now + this.#write,
      rate: this.#writeRate,
      maxWrite: this.#maxWrite === 0 ? Number.POSITIVE_INFINITY : this.#maxWrite,
    });
    const pending = next(exchange);
    if (pending === undefined) exchange.response = inner;
    else return pending.then(() => void (exchange.response = inner));
  }
}

function milliseconds(nanoseconds: number | null | undefined): number {
  if (nanoseconds == null) return 0;
  return nanoseconds < 0 ? Number.POSITIVE_INFINITY : nanoseconds / 1e6;
}
