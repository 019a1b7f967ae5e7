/** Metrics for requests that reach one route handler for one host. */
import type { Series } from '@sluice/telemetry';
import type { RequestFamilies } from './families.ts';
import { methodLabel } from './methods.ts';

interface CompleteSeries {
  readonly duration: Series;
  readonly requestSize: Series;
  readonly responseSize: Series;
}

/** Metrics for one combination of status and method. A metric is exported only once it has a value. */
class Outcome {
  readonly #families: RequestFamilies;
  readonly #labels: readonly string[];
  #complete: CompleteSeries | null = null;
  #responseDuration: Series | null = null;

  constructor(families: RequestFamilies, labels: readonly string[]) {
    this.#families = families;
    this.#labels = labels;
  }

  /** Records a completed request. The duration is in milliseconds and sizes are in bytes. */
  observe(duration: number, requestSize: number, responseSize: number): void {
    const complete = (this.#complete ??= this.#open());
    complete.duration.observe(duration / 1000);
    complete.requestSize.observe(requestSize);
    complete.responseSize.observe(responseSize);
  }

  /** Records the time to first byte of a response, in milliseconds. */
  observeFirstByte(duration: number): void {
    this.#responseDuration ??= this.#families.responseDuration.with(...this.#labels);
    this.#responseDuration.observe(duration / 1000);
  }

  #open(): CompleteSeries {
    return {
      duration: this.#families.duration.with(...this.#labels),
      requestSize: this.#families.requestSize.with(...this.#labels),
      responseSize: this.#families.responseSize.with(...this.#labels),
    };
  }
}

/** Request metrics by status and method. Lookups try the previous combination first, because most requests repeat it. */
export class HostMetrics {
  readonly inFlight: Series;
  readonly requests: Series;
  readonly #families: RequestFamilies;
  readonly #labels: readonly string[];
  readonly #server: string;
  readonly #outcomes = new Map<number, Outcome>();
  #lastKey = -1;
  #last: Outcome | null = null;

  constructor(families: RequestFamilies, labels: readonly string[], server: string) {
    this.#families = families;
    this.#labels = labels;
    this.#server = server;
    this.inFlight = families.inFlight.with(...this.#labels, server);
    this.requests = families.requests.with(...this.#labels, server);
  }

  /** Counts an error. As in Caddy, the error series exists only after the first error. */
  failed(): void {
    this.#families.errors.with(...this.#labels, this.#server).add();
  }

  /** Returns the metrics for a method and a status. */
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
