/** Counts the requests of routes that begin with the same handler. Specialised when routes are compiled. */
import { performance } from 'node:perf_hooks';
import { AbortError, clientClosedRequest, statusOf } from '../errors.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Next } from '../handler.ts';
import { hostKey } from '../routing/keys.ts';
import type { HostFigures } from './host-figures.ts';
import { methodNumber } from './methods.ts';
import { requestSize } from './request-size.ts';
import type { FiguresMode } from './families.ts';

/** What a meter asks of the figures of its server. */
export interface MeterHost {
  readonly mode: FiguresMode;
  /** Figures of a handler and a label of hosts. */
  figuresOf(handler: string, label: string): HostFigures;
  /** The label of a host, which is in lower case and without a port. */
  labelOf(host: string): string;
}

/** Measures. */
export class RouteMeter {
  readonly #server: MeterHost;
  readonly #handler: string;
  readonly #byLabel = new Map<string, HostFigures>();
  /** By hosts that have a label of their own. */
  readonly #byHost = new Map<string, HostFigures>();
  /** Figures of all hosts, where they are not told apart. */
  readonly #all: HostFigures | null;
  #lastHost = '';
  #last: HostFigures | null = null;

  constructor(server: MeterHost, handler: string) {
    this.#server = server;
    this.#handler = handler;
    this.#all = server.mode === 'total' ? server.figuresOf(handler, '') : null;
  }

  /** A route that is counted. */
  meter(route: Next): Next {
    return (exchange) => this.#run(exchange, route);
  }

  /** Looks every host up anew. Called when the hosts that have a label of their own have changed. */
  forgetHosts(): void {
    this.#byHost.clear();
    this.#lastHost = '';
    this.#last = null;
  }

  #run(exchange: Exchange, route: Next): void | Promise<void> {
    const figures = this.#all ?? this.#figuresOf(exchange.host);
    const size = requestSize(exchange);
    figures.inFlight.add(1);
    let pending: void | Promise<void>;
    try {
      pending = route(exchange);
    } catch (error) {
      this.#failed(exchange, figures, size, error);
      throw error;
    }
    if (pending !== undefined) return this.#later(exchange, figures, size, pending);
    this.#done(exchange, figures, size);
  }

  async #later(exchange: Exchange, figures: HostFigures, size: number, pending: Promise<void>): Promise<void> {
    const { writer } = exchange;
    if (writer.status === 0) writer.timed = true;
    else if (writer.headAt === 0) writer.headAt = performance.now();
    try {
      await pending;
    } catch (error) {
      this.#failed(exchange, figures, size, error);
      throw error;
    }
    this.#done(exchange, figures, size);
  }

  #done(exchange: Exchange, figures: HostFigures, size: number): void {
    const { status } = exchange.writer;
    this.#count(exchange, figures, size, status === 0 ? 200 : status);
  }

  /** A request that is cut on purpose is not counted, as in the reference. */
  #failed(exchange: Exchange, figures: HostFigures, size: number, error: unknown): void {
    if (error instanceof AbortError) {
      figures.inFlight.add(-1);
      return;
    }
    figures.failed();
    this.#count(exchange, figures, size, exchange.aborted ? clientClosedRequest : statusOf(error));
  }

  /** What did not wait was answered in one turn of the event loop: its first byte left when all was done. */
  #count({ originalMethod, startedAt, writer }: Exchange, figures: HostFigures, size: number, status: number): void {
    const now = performance.now();
    const { headAt } = writer;
    const firstByte = writer.status === 0 ? -1 : (headAt === 0 ? now : headAt) - startedAt;
    figures.inFlight.add(-1);
    figures.requests.add(1);
    const outcome = figures.outcome(methodNumber(originalMethod), status);
    outcome.observe(now - startedAt, firstByte, size, writer.status === 0 ? 0 : writer.size);
  }

  #figuresOf(host: string): HostFigures {
    if (host === this.#lastHost && this.#last !== null) return this.#last;
    const key = hostKey(host);
    const figures = this.#byHost.get(key) ?? this.#find(key);
    this.#lastHost = host;
    this.#last = figures;
    return figures;
  }

  /** Hosts without a label of their own are not remembered, as there is no end of them. */
  #find(host: string): HostFigures {
    const label = this.#server.labelOf(host);
    let figures = this.#byLabel.get(label);
    if (figures === undefined) {
      figures = this.#server.figuresOf(this.#handler, label);
      this.#byLabel.set(label, figures);
    }
    if (label === host) this.#byHost.set(host, figures);
    return figures;
  }
}
