/** Metrics of the requests of one route's handler and one host. */
import type { Series } from '@sluice/telemetry';
import type { MetricsMode, RequestFamilies } from './families.ts';
import { methodLabel } from './methods.ts';

/** Metrics of one outcome: a status and a method. */
class Outcome {
  readonly duration: Series;
  readonly requestSize: Series;
  readonly responseSize: Series;
  readonly #families: RequestFamilies;
  readonly #labels: readonly string[];
  #responseDuration: Series | null = null;

  constructor(families: RequestFamilies, labels: readonly string[]) {
    this.#families = families;
    this.#labels = labels;
    this.duration = families.duration.with(...labels);
    this.requestSize = families.requestSize.with(...labels);
    this.responseSize = families.responseSize.with(...labels);
  }

  /** Made when a head was written: errors that leave it to others have none. */
  get responseDuration(): Series {
    return (this.#responseDuration ??= this.#families.responseDuration.with(...this.#labels));
  }
}

/** Counts. What it counts in is found by numbers, and mostly it is the same as the last time. */
export class HostMetrics {
  readonly inFlight: Series;
  readonly requests: Series;
  readonly #families: RequestFamilies;
  readonly #labels: readonly string[];
  readonly #server: string;
  readonly #outcomes = new Map<number, Outcome>();
  #lastKey = -1;
  #last: Outcome | null = null;

  constructor(families: RequestFamilies, mode: MetricsMode, server: string, handler: string, host: string) {
    this.#families = families;
    this.#labels = mode === 'total' ? [handler] : [handler, host];
    this.#server = server;
    this.inFlight = families.inFlight.with(...this.#labels, server);
    this.requests = families.requests.with(...this.#labels, server);
  }

  /** Counts an error. There is no series before there is one, as in the reference. */
  failed(): void {
    this.#families.errors.with(...this.#labels, this.#server).add();
  }

  /**
   * Counts a request that is over. Times in milliseconds; a negative `firstByte` says that no head was written. Sizes in
   * bytes.
   */
  observe(
    method: number,
    status: number,
    duration: number,
    firstByte: number,
    requestSize: number,
    responseSize: number,
  ): void {
    const key = method * 1000 + status;
    const outcome = key === this.#lastKey ? (this.#last as Outcome) : this.#outcome(key, method, status);
    outcome.duration.observe(duration / 1000);
    if (firstByte >= 0) outcome.responseDuration.observe(firstByte / 1000);
    outcome.requestSize.observe(requestSize);
    outcome.responseSize.observe(responseSize);
  }

  #outcome(key: number, method: number, status: number): Outcome {
    let outcome = this.#outcomes.get(key);
    if (outcome === undefined) {
      outcome = new Outcome(this.#families, [String(status), ...this.#labels, methodLabel(method), this.#server]);
      this.#outcomes.set(key, outcome);
    }
    this.#lastKey = key;
    this.#last = outcome;
    return outcome;
  }
}
