/** Breaks members and the store, in the order of a seed, as long as it is wanted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { killed, stopped } from './engines/common-faults.ts';
import type { Fault } from './engines/engine.ts';
import type { MemberProcess } from './member-process.ts';
import type { Random } from './random.ts';

/** In milliseconds. */
export interface BreakerPace {
  /** How long something is broken, and whole, at most. */
  readonly broken: number;
  readonly whole: number;
}

/** What has happened. */
export class Breaker {
  readonly counts = new Map<string, number>();
  /** When the last fault was over. */
  over = 0;
  #ended = false;

  /** One thing of these after the other, until the end; resolves when the last is whole again. Several of these may go on at a time. */
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

  /** Nothing else is broken from now on. */
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

/** What can happen to members. */
export function memberFaults(members: readonly MemberProcess[]): readonly Fault[] {
  return members.flatMap((member) => [
    killed(`member ${member.name}`, member),
    stopped(`member ${member.name}`, member),
  ]);
}
