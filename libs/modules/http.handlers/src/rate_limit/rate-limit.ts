import { itemAt, type Logger } from '@sluice/base';
import { performance } from 'node:perf_hooks';
import { HttpError, matchSets, type Exchange, type HttpHandler, type Next, type Watch } from '@sluice/http-app';
import type { ZoneCounter } from './metrics.ts';
import type { Taken } from './sliding-windows.ts';
import type { Zone } from './zone.ts';

/** Placeholder for the name of the zone that rejected a request. */
const exceededPlaceholder = 'http.rate_limit.exceeded.name';

/** Minimum interval between log entries about a zone whose memory is full, in milliseconds. */
const fullReportInterval = 60_000;

export interface RateLimitSettings {
  readonly zones: readonly Zone[];
  readonly jitter: number;
  readonly logKey: boolean;
  readonly headers: boolean;
  /** Counters of each zone, or `null` if metrics are disabled. */
  readonly counters: readonly ZoneCounter[] | null;
  readonly log: Logger;
}

/** Handler that checks the rate limit zones in order. The first zone whose limit is exceeded rejects the request. */
export class RateLimit implements HttpHandler {
  readonly #settings: RateLimitSettings;
  readonly #policies: string;
  #fullReported = -fullReportInterval;

  constructor(settings: RateLimitSettings) {
    this.#settings = settings;
    this.#policies = settings.zones.map(({ policy }) => policy).join(', ');
  }

  watched(watch: Watch): HttpHandler {
    const { rehearsal } = watch;
    if (rehearsal === null) return this;
    return {
      handle: async (exchange, next) => {
        await this.#rejectAll(exchange);
        // In a dry run, continue as if no limit were exceeded, because the current counts are not part of the request.
        rehearsal.depends(exchange, 'earlier requests');
        await next(exchange);
      },
    };
  }

  /** Rejects a request because a zone allows no requests at all. */
  async #rejectAll(exchange: Exchange): Promise<void> {
    for (const { settings } of this.#settings.zones)
      if (settings.maxEvents === 0 && (await matchSets(exchange, settings.match))) throw new HttpError(429);
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    const { zones } = this.#settings;
    for (let i = 0; i < zones.length; i++) {
      const zone = itemAt(zones, i);
      const matched = matchSets(exchange, zone.settings.match);
      if (matched === false) continue;
      if (matched !== true) return this.#handleLater(exchange, next, i, matched);
      this.#take(exchange, zone, i);
    }
    return next(exchange);
  }

  async #handleLater(exchange: Exchange, next: Next, at: number, matched: Promise<boolean>): Promise<void> {
    const { zones } = this.#settings;
    for (let i = at; i < zones.length; i++) {
      const zone = itemAt(zones, i);
      if (i === at ? await matched : await matchSets(exchange, zone.settings.match)) this.#take(exchange, zone, i);
    }
    await next(exchange);
  }

  /** Counts the request in a zone. Throws if the limit of the zone is exceeded. `index` is the position of the zone. */
  #take(exchange: Exchange, zone: Zone, index: number): void {
    const { counters, headers } = this.#settings;
    const key = zone.keyOf(exchange);
    const taken = zone.take(key);
    if (counters !== null) itemAt(counters, index).count(taken.wait > 0);
    if (taken.full) this.#reportFull(zone);
    if (headers) this.#describe(exchange, zone, taken);
    if (taken.wait > 0) this.#reject(exchange, zone, key, taken.wait);
  }

  #reportFull(zone: Zone): void {
    const now = performance.now();
    if (now - this.#fullReported < fullReportInterval) return;
    this.#fullReported = now;
    const { name, rejectWhenFull } = zone.settings;
    const treatment = rejectWhenFull ? 'rejecting requests with new keys' : 'requests with new keys are not limited';
    this.#settings.log.warn(`rate limit zone is out of memory: ${treatment}; increase its memory option`, {
      zone: name,
    });
  }

  #describe(exchange: Exchange, zone: Zone, taken: Taken): void {
    const fields = exchange.response.headers;
    fields.set('ratelimit-policy', this.#policies);
    fields.append(
      'ratelimit',
      `${JSON.stringify(zone.settings.name)};r=${taken.remaining};t=${Math.ceil(taken.reset / 1000)}`,
    );
  }

  #reject(exchange: Exchange, zone: Zone, key: string, wait: number): never {
    const { jitter, logKey, log } = this.#settings;
    const { name } = zone.settings;
    const seconds = Math.ceil((wait / 1000) * (jitter === 0 ? 1 : 1 + Math.random() * jitter));
    exchange.response.headers.set('retry-after', String(seconds));
    exchange.setPlaceholder(exceededPlaceholder, name);
    log.info('rate limit exceeded', {
      zone: name,
      wait: wait / 1000,
      remote_ip: exchange.connection.remoteAddress ?? '',
      ...(logKey ? { key } : {}),
    });
    throw new HttpError(429);
  }
}
