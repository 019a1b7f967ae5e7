import { guarded, type Logger } from '@sluice/base';
import {
  ClientGoneError,
  HttpError,
  type Exchange,
  type HttpHandler,
  type HttpTemplate,
  type Next,
  type Watch,
} from '@sluice/http-app';
import type { FairLimit } from '../common/fair-limit.ts';
import type { Limit, OncePerMinute } from './limit.ts';
import type { LimitMetrics } from './metrics.ts';

/** Placeholder for the name of the limit that rejected a request. */
const exceededPlaceholder = 'http.concurrency_limit.exceeded.name';

export interface ConcurrencyLimitSettings {
  readonly limit: Limit;
  readonly key: HttpTemplate;
  /** In milliseconds. */
  readonly queueTimeout: number;
  readonly hasQueue: boolean;
  readonly status: number;
  readonly metrics: LimitMetrics | null;
  readonly log: Logger;
  readonly manyKeys: OncePerMinute;
}

/** Handler that limits the number of concurrent requests with the same key. */
export class ConcurrencyLimit implements HttpHandler {
  readonly #settings: ConcurrencyLimitSettings;
  readonly #retryAfter: string;

  constructor(settings: ConcurrencyLimitSettings) {
    this.#settings = settings;
    this.#retryAfter = String(settings.hasQueue ? Math.max(1, Math.ceil(settings.queueTimeout / 1000)) : 1);
  }

  watched(watch: Watch): HttpHandler {
    const { rehearsal } = watch;
    if (rehearsal === null) return this;
    return {
      handle: (exchange, next) => {
        rehearsal.depends(exchange, 'requests in flight');
        return next(exchange);
      },
    };
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    const { limit, key, hasQueue, metrics } = this.#settings;
    const requests = limit.of(key.expand(exchange));
    if (requests === null) {
      this.#reportManyKeys();
      return next(exchange);
    }
    if (requests.enter() === null)
      return hasQueue ? this.#wait(exchange, next, requests) : this.#reject(exchange, 'rejected');
    metrics?.count('admitted');
    return run(exchange, next, requests);
  }

  /** Waits in the queue, and serves the request if it is admitted. Resolves after the request is complete. */
  async #wait(exchange: Exchange, next: Next, requests: FairLimit): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<'queued' | 'timed_out' | 'aborted'>();
    const leave = requests.queue({ admit: () => resolve('queued') });
    if (leave === null) this.#reject(exchange, 'rejected');
    const { signal } = exchange;
    const onAbort = guarded(exchange, () => resolve('aborted'));
    const timer = setTimeout(
      guarded(exchange, () => resolve('timed_out')),
      this.#settings.queueTimeout,
    );
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    const result = await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    // The request may have been admitted at the same moment. In that case, count it as complete.
    if (result !== 'queued' && !leave()) requests.complete();
    if (result === 'timed_out') this.#reject(exchange, result);
    this.#settings.metrics?.count(result);
    if (result === 'aborted') throw new ClientGoneError();
    await run(exchange, next, requests);
  }

  #reject(exchange: Exchange, result: 'rejected' | 'timed_out'): never {
    const { limit, log, metrics, status } = this.#settings;
    metrics?.count(result);
    exchange.response.headers.set('retry-after', this.#retryAfter);
    exchange.setPlaceholder(exceededPlaceholder, limit.name);
    log.info('concurrency limit exceeded', {
      limit: limit.name,
      reason: result === 'rejected' ? 'queue is full' : 'queue timeout',
      remote_ip: exchange.connection.remoteAddress ?? '',
    });
    throw new HttpError(status);
  }

  #reportManyKeys(): void {
    const { limit, log, manyKeys } = this.#settings;
    if (manyKeys.isDue)
      log.warn('too many keys have in-flight requests; requests with other keys are not limited', {
        limit: limit.name,
      });
  }
}

function run(exchange: Exchange, next: Next, requests: FairLimit): void | Promise<void> {
  let result: void | Promise<void>;
  try {
    result = next(exchange);
  } catch (error) {
    requests.complete();
    throw error;
  }
  if (result instanceof Promise) return finish(result, requests);
  requests.complete();
  return undefined;
}

async function finish(result: Promise<void>, requests: FairLimit): Promise<void> {
  try {
    await result;
  } finally {
    requests.complete();
  }
}
