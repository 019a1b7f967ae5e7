/** Counts the requests of routes that begin with the same handler. Specialised when routes are compiled. */
import { AbortError } from '../errors.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Next } from '../handler.ts';
import { statusOf } from '../routing/chain.ts';
import type { HostFigures } from './host-figures.ts';
import { methodNumber } from './methods.ts';
import { requestSize } from './request-size.ts';
import type { ServerFigures } from './server-figures.ts';

/** Status of requests whose client went away before the answer, as in access logs. */
const clientGone = 499;

/** Measures. */
export class RouteMeter {
  readonly #server: ServerFigures;
  readonly #handler: string;
  readonly #byLabel = new Map<string, HostFigures>();
  /** Figures of all hosts, where they are not told apart. */
  readonly #all: HostFigures | null;

  constructor(server: ServerFigures, handler: string) {
    this.#server = server;
    this.#handler = handler;
    this.#all = server.mode === 'total' ? server.figuresOf(handler, '') : null;
  }

  /** A route that is counted. */
  meter(route: Next): Next {
    return (exchange) => this.#run(exchange, route);
  }

  #run(exchange: Exchange, route: Next): void | Promise<void> {
    const figures = this.#all ?? this.#figuresOf(exchange);
    const { writer } = exchange;
    const size = requestSize(exchange);
    figures.inFlight.add(1);
    writer.timed = true;
    const start = performance.now();
    let pending: void | Promise<void>;
    try {
      pending = route(exchange);
    } catch (error) {
      this.#failed(exchange, figures, start, size, error);
      throw error;
    }
    if (pending !== undefined) return this.#later(exchange, figures, start, size, pending);
    this.#done(exchange, figures, start, size);
  }

  async #later(
    exchange: Exchange,
    figures: HostFigures,
    start: number,
    size: number,
    pending: Promise<void>,
  ): Promise<void> {
    try {
      await pending;
    } catch (error) {
      this.#failed(exchange, figures, start, size, error);
      throw error;
    }
    this.#done(exchange, figures, start, size);
  }

  #done(exchange: Exchange, figures: HostFigures, start: number, size: number): void {
    const { writer } = exchange;
    this.#count(exchange, figures, start, size, writer.status === 0 ? 200 : writer.status);
  }

  /** A request that is cut on purpose is not counted, as in the reference. */
  #failed(exchange: Exchange, figures: HostFigures, start: number, size: number, error: unknown): void {
    if (error instanceof AbortError) {
      figures.inFlight.add(-1);
      return;
    }
    figures.failed();
    this.#count(exchange, figures, start, size, exchange.aborted ? clientGone : statusOf(error));
  }

  #count(
    { originalMethod, writer }: Exchange,
    figures: HostFigures,
    start: number,
    size: number,
    status: number,
  ): void {
    const firstByte = writer.headAt === 0 ? -1 : Math.max(0, writer.headAt - start);
    figures.inFlight.add(-1);
    figures.requests.add(1);
    figures.observe(
      methodNumber(originalMethod),
      status,
      performance.now() - start,
      firstByte,
      size,
      writer.status === 0 ? 0 : writer.size,
    );
  }

  #figuresOf({ host }: Exchange): HostFigures {
    const label = this.#server.labelOf(host);
    let figures = this.#byLabel.get(label);
    if (figures === undefined) {
      figures = this.#server.figuresOf(this.#handler, label);
      this.#byLabel.set(label, figures);
    }
    return figures;
  }
}
