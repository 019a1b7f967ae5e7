/** Trace of one request. */
import { performance } from 'node:perf_hooks';
import { formatWhere, messageOf, redactedText } from '@sluice/base';
import { type Exchange, idOf, type PartPlace, proxyFacts, type RoutePlace } from '@sluice/http-app';
import { namedPart } from './part-path.ts';
import { redactedHeaders } from './redact-request.ts';
import { requestRecord, short } from './request-record.ts';

/** Maximum number of recorded handlers per request. `maxMatchers` is the maximum number of recorded matchers. */
const maxSteps = 200;
const maxMatchers = 100;

/** A handler that ran or a matcher that was evaluated. Times are in milliseconds. */
interface Step {
  readonly kind: 'handler' | 'matcher';
  readonly place: PartPlace;
  readonly outer: Step | null;
  readonly began: number;
  readonly sizeBefore: number;
  duration: number;
  /** Total duration of the nested steps. */
  inner: number;
  bytes: number;
  /** For a handler, true if it called the next handler. For a matcher, its result. */
  passed: boolean;
}

/** Records the steps of a request through its handlers. */
export class RequestTrace {
  readonly #headers: Record<string, string[]>;
  readonly #parent: string | undefined;
  readonly #startedAt: number;
  readonly #steps: Step[] = [];
  #handlers = 0;
  #matchers = 0;
  /** Running handler. */
  #current: Step | null = null;
  #route: RoutePlace | null = null;

  constructor(exchange: Exchange) {
    // Copy the request fields, because handlers may change the originals.
    this.#headers = redactedHeaders(exchange.headers);
    this.#parent = exchange.headers.get('traceparent');
    this.#startedAt = exchange.startedAt;
  }

  reached(place: RoutePlace): void {
    this.#route = place;
  }

  /** Starts a step before a handler runs. Returns `null` if the trace already has too many steps. */
  begin(place: PartPlace, { writer }: Exchange): Step | null {
    // Set the route again, because the outer routes continue now. Routes for an upstream's response may have run in the meantime.
    this.#route = place.route;
    if (this.#handlers++ >= maxSteps) return null;
    const step = this.#add('handler', place, writer.size);
    this.#current = step;
    return step;
  }

  /** Starts a step before a matcher is evaluated. Returns `null` if the trace already has too many steps. */
  ask(place: PartPlace): Step | null {
    return this.#matchers++ >= maxMatchers ? null : this.#add('matcher', place, 0);
  }

  /** Records the result of a matcher. */
  said(step: Step, verdict: boolean): boolean {
    step.duration = performance.now() - step.began;
    if (step.outer !== null) step.outer.inner += step.duration;
    step.passed = verdict;
    return verdict;
  }

  /** Records that a handler called the next handler. */
  passed(step: Step): void {
    step.passed = true;
    this.#current = step;
  }

  /** Records that a handler has completed. */
  end(step: Step, { writer }: Exchange): void {
    step.duration = performance.now() - step.began;
    step.bytes = writer.size - step.sizeBefore;
    if (step.outer !== null) step.outer.inner += step.duration;
    this.#current = step.outer;
  }

  #add(kind: Step['kind'], place: PartPlace, sizeBefore: number): Step {
    const began = performance.now();
    const times = { began, sizeBefore, duration: 0, inner: 0, bytes: 0 };
    const step = { kind, place, outer: this.#current, ...times, passed: false };
    this.#steps.push(step);
    return step;
  }

  /** Returns the trace, with secrets removed. */
  finish(exchange: Exchange, thread: number, now: number): Readonly<Record<string, unknown>> {
    const { error } = exchange;
    const node = this.#route?.route.matcherPlace.node ?? undefined;
    return {
      at: new Date(Date.now() - (now - this.#startedAt)).toISOString(),
      thread,
      route: this.#route === null ? null : formatWhere(this.#route.path),
      route_id: node === undefined ? null : idOf(node),
      ...requestRecord(exchange, this.#headers),
      duration_ms: rounded(now - this.#startedAt),
      upstream: exchange.attached(proxyFacts)?.placeholder('upstream.address') ?? null,
      error: error === null ? null : short(redactedText(messageOf(error))),
      traceparent: spanOf(this.#parent, exchange),
      steps: this.#steps.map((step) => recordOf(step, this.#startedAt)),
    };
  }
}

function recordOf(step: Step, since: number): object {
  const { path, module } = namedPart(step.place);
  return {
    path: formatWhere(path),
    module,
    kind: step.kind,
    depth: depthOf(step),
    began_ms: rounded(step.began - since),
    duration_ms: rounded(step.duration),
    own_ms: rounded(Math.max(0, step.duration - step.inner)),
    bytes_out: step.bytes,
    verdict: step.passed,
  };
}

/** Returns the client's `traceparent` (W3C Trace Context §3.2) with the ID of the span that the `tracing` handler created. */
function spanOf(field: string | undefined, exchange: Exchange): object | null {
  const parent = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})/.exec(field ?? '');
  const traceId = exchange.placeholder('http.vars.trace_id') ?? exchange.variable('trace_id');
  const spanId = exchange.placeholder('http.vars.span_id') ?? exchange.variable('span_id');
  if (parent === null && typeof traceId !== 'string') return null;
  return {
    trace_id: typeof traceId === 'string' ? traceId : parent?.[1],
    parent_id: parent?.[2] ?? null,
    span_id: typeof spanId === 'string' ? spanId : null,
    sampled: parent === null ? null : (Number.parseInt(parent[3] ?? '0', 16) & 1) === 1,
  };
}

function depthOf({ outer }: Step): number {
  return outer === null ? 0 : depthOf(outer) + 1;
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
