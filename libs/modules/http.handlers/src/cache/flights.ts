/** Tracks upstream requests that other requests wait for (request collapsing). */

/** Result of an upstream request. It determines how the waiting requests continue. */
export type FlightResult = 'stored' | 'unshared' | 'failed';

/** Maximum time to wait for the upstream request of another client, in milliseconds. */
const maxWait = 5000;
/**
 * Limits for tracking keys whose responses can't be shared: maximum number of keys, and tracking time in milliseconds. Requests for a
 * tracked key do not wait for each other.
 */
const maxUnshared = 10_000;
const unsharedTime = 10_000;

/** An upstream request that other requests can wait for. */
export class Flight {
  #result: FlightResult | null = null;
  #promise: Promise<FlightResult> | null = null;
  #resolve: ((result: FlightResult) => void) | null = null;
  #timer: NodeJS.Timeout | null = null;

  get isAwaited(): boolean {
    return this.#promise !== null;
  }

  /** Resolves when the response has been stored, has turned out not to be shareable, or takes too long. */
  wait(): Promise<FlightResult> {
    if (this.#result !== null) return Promise.resolve(this.#result);
    return (this.#promise ??= new Promise((resolve) => {
      this.#resolve = resolve;
      this.#timer = setTimeout(resolve, maxWait, 'unshared').unref();
    }));
  }

  end(result: FlightResult): void {
    if (this.#result !== null) return;
    this.#result = result;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#resolve?.(result);
  }
}

export class Flights {
  readonly #flights = new Map<string, Flight>();
  readonly #unshared = new Map<string, number>();

  get(key: string): Flight | undefined {
    return this.#flights.get(key);
  }

  begin(key: string): Flight {
    const flight = new Flight();
    this.#flights.set(key, flight);
    return flight;
  }

  /** Makes later requests for a key start a new upstream request, because the current one is outdated. */
  forget(key: string): void {
    this.#flights.delete(key);
  }

  end(key: string, flight: Flight, result: FlightResult): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
    if (result === 'stored') this.#unshared.delete(key);
    flight.end(result);
  }

  /** Records that a response could not be shared. For some time, requests for its key do not wait for each other. */
  noteUnshared(key: string, now: number): void {
    this.#unshared.delete(key);
    this.#unshared.set(key, now + unsharedTime);
    if (this.#unshared.size <= maxUnshared) return;
    const [oldest] = this.#unshared.keys();
    if (oldest !== undefined) this.#unshared.delete(oldest);
  }

  isUnshared(key: string, now: number): boolean {
    const until = this.#unshared.get(key);
    return until !== undefined && now < until;
  }
}
