/** Periodically checks the health of one proxy's upstreams. Runs only in the control thread. */
import { guarded, itemAt, maxTimer, messageOf, numberAt, taskOf, unawaited, type Logger } from '@sluice/base';
import type { HealthBoard } from './health-board.ts';

/** An upstream to check, and the object that stores its health. */
export interface CheckedUpstream {
  readonly address: string;
  readonly board: HealthBoard;
}

/** Settings of active health checks. */
export interface HealthProbe {
  /** Time between two rounds of checks, in milliseconds. */
  readonly interval: number;
  /**
   * Thresholds: after `passes` consecutive successes, an unhealthy upstream becomes healthy. After `fails` consecutive failures, a healthy
   * upstream becomes unhealthy.
   */
  readonly passes: number;
  readonly fails: number;
  /** Checks an address once. Resolves to a description of the problem, or to `null` if the check passed. */
  problem(address: string): Promise<string | null>;
}

/** Callback for an upstream that becomes healthy or unhealthy. */
export type HealthListener = (address: string, healthy: boolean) => void;

const task = taskOf('http.handlers.reverse_proxy');

/** Runs health checks between {@link start} and {@link stop}. */
export class HealthChecker {
  readonly #check: HealthProbe;
  readonly #upstreams: readonly CheckedUpstream[];
  readonly #log: Logger;
  readonly #listener: HealthListener;
  /** Number of consecutive checks with the same result, for each upstream. Positive for successes, negative for failures. */
  readonly #streaks: number[];
  /** Upstreams whose check from the previous round is still in progress. */
  readonly #busy = new Set<number>();
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(
    check: HealthProbe,
    upstreams: readonly CheckedUpstream[],
    { log, listener }: { readonly log: Logger; readonly listener: HealthListener },
  ) {
    this.#check = check;
    this.#upstreams = upstreams;
    this.#log = log;
    this.#listener = listener;
    this.#streaks = upstreams.map(() => 0);
  }

  /** Starts the first check immediately, and repeats checks periodically. */
  start(): void {
    this.#round();
    this.#timer = setInterval(this.#round, Math.min(this.#check.interval, maxTimer));
    this.#timer.unref();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  readonly #round = guarded(task, () => {
    for (const index of this.#upstreams.keys()) unawaited(task, this.#checkOne(index));
  });

  async #checkOne(index: number): Promise<void> {
    if (this.#busy.has(index)) return;
    this.#busy.add(index);
    const { address, board } = itemAt(this.#upstreams, index);
    let problem: string | null;
    try {
      problem = await this.#check.problem(address);
    } catch (error) {
      problem = messageOf(error);
    }
    this.#busy.delete(index);
    if (this.#stopped) return;
    board.last = { time: new Date().toISOString(), problem };
    const before = numberAt(this.#streaks, index);
    const streak = problem === null ? Math.max(1, before + 1) : Math.min(-1, before - 1);
    this.#streaks[index] = streak;
    if (problem === null ? streak < this.#check.passes : -streak < this.#check.fails) return;
    if (!board.set(problem === null)) return;
    if (problem === null) this.#log.info('upstream is healthy', { upstream: address });
    else this.#log.warn('upstream is unhealthy', { upstream: address, reason: problem });
    this.#listener(address, problem === null);
  }
}
