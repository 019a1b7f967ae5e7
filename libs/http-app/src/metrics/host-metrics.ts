/** Metrics of the requests of one route's handler and one host. */
import type { Series } from '@sluice/telemetry';
import type { RequestFamilies } from './families.ts';
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

  /**
   * Counts a request that is over. Times in milliseconds; a negative `firstByte` says that no head was written, and errors
   * that leave it to others have no series for it. Sizes in bytes.
   */
  observe(duration: number, firstByte: number, requestSize: number, responseSize: number): void {
    this.duration.observe(duration / 1000);
    if (firstByte >= 0) {
      this.#responseDuration ??= this.#families.responseDuration.with(...this.#labels);
      this.#responseDuration.observe(firstByte / 1000);
    }
    this.requestSize.observe(requestSize);
    this.responseSize.observe(responseSize);
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

  /** `labels`: the handler, and the host where hosts are counted apart. */
  constructor(families: RequestFamilies, labels: readonly string[], server: string) {
    this.#families = families;
    this.#labels = labels;
    this.#server = server;
    this.inFlight = families.inFlight.with(...this.#labels, server);
    this.requests = families.requests.with(...this.#labels, server);
  }

  /** Counts an error. There is no series before there is one, as in the reference. */
  failed(): void {
    this.#families.errors.with(...this.#labels, this.#server).add();
  }

  /** What counts requests with a method and a status. */
  outcome(method: number, status: number): Outcome {
    const key = method * 1000 + status;
    return key === this.#lastKey ? (this.#last as Outcome) : this.#outcome(key, method, status);
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
