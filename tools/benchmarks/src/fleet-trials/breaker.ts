/** Injects faults into fleet members and the store. The order of the faults depends on a seed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { killed, stopped } from './engines/common-faults.ts';
import type { Fault } from './engines/engine.ts';
import type { MemberProcess } from './member-process.ts';
import type { Random } from './random.ts';

/** Pace of the fault injector, in milliseconds. */
export interface BreakerPace {
  /** Maximum duration of a fault, and maximum pause after it. */
  readonly broken: number;
  readonly whole: number;
}

/** Fault injector, which counts the faults that have occurred. */
export class Breaker {
  readonly counts = new Map<string, number>();
  /** Time at which the last fault ended. */
  over = 0;
  #ended = false;

  /**
   * Injects these faults one after another until {@link end} is called. Resolves when the last fault is repaired.
   * Several calls may run concurrently.
   */
  async strike(faults: readonly Fault[], random: Random, { broken, whole }: BreakerPace): Promise<void> {
    await this.#rest(random.between(0, whole));
    while (!this.#ended) {
      const { name, strike, longest = broken } = random.any(faults);
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
      await strike(random.between(broken / 20, Math.min(longest, broken)));
      this.over = performance.now();
      await this.#rest(random.between(0, whole));
    }
  }

  end(): void {
    this.#ended = true;
  }

  get struck(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  async #rest(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    while (!this.#ended && performance.now() < end) await sleep(20);
  }
}

export function memberFaults(members: readonly MemberProcess[]): readonly Fault[] {
  return members.flatMap((member) => [
    killed(`member ${member.name}`, member),
    stopped(`member ${member.name}`, member),
  ]);
}
