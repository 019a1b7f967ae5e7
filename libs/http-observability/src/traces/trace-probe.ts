/** Observes a thread's requests for recordings: evaluated matchers, handlers that ran, and durations. */
import { performance } from 'node:perf_hooks';
import {
  attachmentKey,
  finalStatus,
  type Exchange,
  type HttpHandler,
  type HttpMatcher,
  type ListPlace,
  type Next,
  type PartPlace,
  type Probe,
  type RoutePlace,
} from '@sluice/http-app';
import { compileMatch, type CompiledMatch } from './match-request.ts';
import type { RecordedRequest, RecordingOrder } from './recording.ts';
import { RequestTrace } from './request-trace.ts';

/** A recording that is active in this thread. */
interface Recording {
  readonly order: RecordingOrder;
  readonly match: CompiledMatch;
  recorded: number;
}

/** A request that may be recorded. The decision depends on its outcome. */
interface Candidate {
  readonly trace: RequestTrace;
  readonly recordings: readonly Recording[];
}

/** Attachment key for the trace of a request that may be recorded. The value is `null` if the request is not recorded. */
const candidate = attachmentKey<Candidate | null>('traces');

/** Maximum size of a trace in bytes. A larger trace is stored without its steps. */
const maxTraceSize = 64 * 1024;

export class TraceProbe implements Probe {
  readonly rehearsal = null;
  readonly #recordings: readonly Recording[];
  readonly #thread: number;
  readonly #send: (request: RecordedRequest) => void;

  constructor(orders: readonly RecordingOrder[], thread: number, send: (request: RecordedRequest) => void) {
    this.#recordings = orders.map((order) => ({ order, match: compileMatch(order.match), recorded: 0 }));
    this.#thread = thread;
    this.#send = send;
  }

  handler(inner: HttpHandler, place: PartPlace): HttpHandler {
    return { handle: (exchange, next) => this.#handle(exchange, next, inner, place) };
  }

  matcher(inner: HttpMatcher, place: PartPlace): HttpMatcher {
    return { match: (exchange) => this.#match(exchange, inner, place) };
  }

  reached(exchange: Exchange, place: RoutePlace): void {
    this.#candidateOf(exchange)?.trace.reached(place);
  }

  exhausted(exchange: Exchange, { owner }: ListPlace): void {
    if (owner === null) this.#candidateOf(exchange);
  }

  #handle(exchange: Exchange, next: Next, inner: HttpHandler, place: PartPlace): void | Promise<void> {
    const trace = this.#candidateOf(exchange)?.trace;
    const step = trace?.begin(place, exchange);
    if (trace === undefined || step === undefined || step === null) return inner.handle(exchange, next);
    const end = (): void => trace.end(step, exchange);
    const passOn: Next = (given) => {
      trace.passed(step);
      return next(given);
    };
    let pending: void | Promise<void>;
    try {
      pending = inner.handle(exchange, passOn);
    } catch (error) {
      end();
      throw error;
    }
    if (pending !== undefined) return pending.finally(end);
    end();
  }

  #match(exchange: Exchange, inner: HttpMatcher, place: PartPlace): boolean | Promise<boolean> {
    const trace = this.#candidateOf(exchange)?.trace;
    const step = trace?.ask(place) ?? null;
    if (trace === undefined || step === null) return inner.match(exchange);
    const said = inner.match(exchange);
    if (typeof said !== 'boolean') return said.then((verdict) => trace.said(step, verdict));
    return trace.said(step, said);
  }

  /** Determines whether an exchange may be recorded. Runs when the exchange is first used. */
  #candidateOf(exchange: Exchange): Candidate | null {
    const known = exchange.attached(candidate);
    if (known !== undefined) return known;
    const recordings = this.#recordings.filter(
      ({ order, match, recorded }) =>
        recorded < order.count && match.begins(exchange) && (order.sample >= 1 || Math.random() < order.sample),
    );
    const made = recordings.length === 0 ? null : { trace: new RequestTrace(exchange), recordings };
    exchange.attach(candidate, made);
    if (made !== null) exchange.onFinish(() => this.#finish(exchange, made));
    return made;
  }

  #finish(exchange: Exchange, { trace, recordings }: Candidate): void {
    const status = finalStatus(exchange);
    const wanted = recordings.filter(({ order, match, recorded }) => recorded < order.count && match.ends(status));
    if (wanted.length === 0) return;
    const whole = trace.finish(exchange, this.#thread, performance.now());
    const written = JSON.stringify(whole).length > maxTraceSize ? { ...whole, steps: [] } : whole;
    for (const recording of wanted) {
      recording.recorded++;
      this.#send({ recording: recording.order.id, trace: written });
    }
  }
}
