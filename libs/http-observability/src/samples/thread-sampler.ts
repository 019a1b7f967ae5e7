/**
 * Samples the requests of a traffic thread. Sampling is always active. The request head is copied before handlers run. After the response,
 * when the route is known, the sampler decides whether to keep the request.
 */
import { performance } from 'node:perf_hooks';
import { guarded, isSecretOfRequest, taskOf } from '@sluice/base';
import { type Exchange, proxyFacts, type RequestSampler, type SampleSettings } from '@sluice/http-app';
import { HeaderMap } from '@sluice/http1';
import type { ThreadBus } from '@sluice/threads';
import { maxValueLength, maxFields, redactedHeaders } from '../traces/redact-request.ts';
import { fieldsOf, maxTextLength, requestRecord, wholeRecord } from '../traces/request-record.ts';
import { BodyCopy } from './body-copy.ts';
import { liveRequestTopic, liveTopic } from './live-requests.ts';
import { recordedBody } from './recorded-body.ts';
import { sampledTopic } from './sample.ts';

/** Target interval between sampled requests, in milliseconds. Under load, the headers of at most about 100 requests are copied per second. */
const interval = 10;
/** Maximum number of requests between two selected requests. */
const maxStep = 4096;
/**
 * Maximum time without a selected request, in milliseconds. After this time, the sampler selects the next request. Applies when traffic is
 * low.
 */
const idleTime = 250;
/** Interval at which each route starts a new sample, in milliseconds. New requests replace randomly chosen old ones. */
const period = 600_000;
/** Maximum number of route and host combinations that are counted per period. */
const maxRoutes = 10_000;

export class ThreadSampler implements RequestSampler {
  left = Number.POSITIVE_INFINITY;
  readonly #bus: ThreadBus;
  readonly #random: () => number;
  #perRoute = 0;
  #maxBody = 0;
  #allBodies = false;
  #step = 1;
  #takenAt = Number.NEGATIVE_INFINITY;
  #periodEnd = 0;
  /** Number of selected requests in the current period, by the name of their counter block. */
  readonly #seen = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  /** Deadline for including unredacted secrets in reported requests, as a `performance.now()` timestamp. */
  #liveUntil = 0;

  constructor(bus: ThreadBus, random: () => number = Math.random) {
    this.#bus = bus;
    this.#random = random;
    bus.onBroadcast(
      liveTopic,
      guarded(taskOf('samples'), (milliseconds) => {
        this.#liveUntil = performance.now() + milliseconds;
      }),
    );
  }

  configure({ perRoute, maxBody, allBodies }: SampleSettings): void {
    this.#perRoute = perRoute;
    this.#maxBody = maxBody;
    this.#allBodies = allBodies;
    if (perRoute === 0) this.left = Number.POSITIVE_INFINITY;
    else if (this.left === Number.POSITIVE_INFINITY) this.left = 1;
  }

  take(exchange: Exchange): void {
    const { startedAt } = exchange;
    const elapsed = startedAt - this.#takenAt;
    this.#takenAt = startedAt;
    this.#step = elapsed < interval ? Math.min(this.#step * 2, maxStep) : Math.max(1, this.#step >> 1);
    this.left = this.#step;
    if (this.#step > 1) this.#timer ??= setTimeout(this.#wake, idleTime).unref();
    const headers = new HeaderMap([...exchange.headers.names], [...exchange.headers.values]);
    let copy: BodyCopy | null = null;
    if (this.#maxBody > 0 && exchange.body.length !== 0 && exchange.body.length <= this.#maxBody)
      exchange.body = copy = new BodyCopy(exchange.body, this.#maxBody);
    exchange.onFinish(() => this.#finish(exchange, headers, copy));
  }

  readonly #wake = guarded(taskOf('samples'), () => {
    this.#timer = null;
    if (this.#perRoute > 0) this.left = 1;
  });

  #finish(exchange: Exchange, headers: HeaderMap, copy: BodyCopy | null): void {
    const key = exchange.place?.counter.block?.name ?? exchange.server?.name ?? '';
    if (exchange.startedAt < this.#liveUntil && isWhole(exchange, headers))
      this.#bus.report(liveRequestTopic, wholeRecord(exchange, fieldsOf(headers), copy?.content ?? null));
    if (!this.#isKept(key) || !isWhole(exchange, headers)) return;
    const { request, ...rest } = requestRecord(exchange, redactedHeaders(headers));
    const content = copy?.content ?? null;
    const body = content === null ? null : recordedBody(content, headers.get('content-type') ?? '', this.#allBodies);
    const record = {
      at: new Date().toISOString(),
      route: exchange.place?.route ?? null,
      ...rest,
      request: body === null ? request : { ...request, body },
      duration_ms: Math.round((performance.now() - exchange.startedAt) * 1000) / 1000,
      upstream: exchange.attached(proxyFacts)?.placeholder('upstream.address') ?? null,
    };
    this.#bus.report(sampledTopic, { key, record: JSON.stringify(record) });
  }

  /**
   * Reports whether to keep a selected request. Uses reservoir sampling (Vitter's algorithm R), so all selected requests of a period have
   * the same probability.
   */
  #isKept(key: string): boolean {
    const now = performance.now();
    if (now > this.#periodEnd || this.#seen.size >= maxRoutes) {
      this.#periodEnd = now + period;
      this.#seen.clear();
    }
    const seen = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, seen);
    return seen <= this.#perRoute || this.#random() * seen < this.#perRoute;
  }
}

/** Reports whether a record could contain the complete request head. A truncated head could match other routes. */
function isWhole(exchange: Exchange, { names, values }: HeaderMap): boolean {
  const { originalRawPath: path, originalQuery: query } = exchange;
  return (
    path.length <= maxTextLength &&
    (query === null || query.length <= maxTextLength) &&
    names.length <= maxFields &&
    values.every((value, i) => value.length <= maxValueLength || isSecretOfRequest(names[i] ?? ''))
  );
}
