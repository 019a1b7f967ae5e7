/** The environment of a simulation, with virtual time, seeded randomness, and tasks ordered by time. */
import { setImmediate as settled } from 'node:timers/promises';
import type { MemberEnvironment } from '@sluice/fleet';

interface Task {
  readonly at: number;
  readonly run: () => void;
}

/** Runs tasks in order. After each task, waits until all immediate work is complete. */
export class World {
  now = 1_000_000;
  readonly #tasks: Task[] = [];
  #state: number;
  #ids = 0;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Returns a number in the range [0, 1) (mulberry32). */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns an integer in the range [0, `bound`). */
  below(bound: number): number {
    return Math.floor(this.random() * bound);
  }

  after(milliseconds: number, run: () => void): () => void {
    const task = { at: this.now + milliseconds, run };
    let index = this.#tasks.length;
    while (index > 0 && (this.#tasks[index - 1] as Task).at <= task.at) index--;
    this.#tasks.splice(index, 0, task);
    return () => {
      const place = this.#tasks.indexOf(task);
      if (place >= 0) this.#tasks.splice(place, 1);
    };
  }

  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.after(milliseconds, resolve));
  }

  /** Runs tasks and advances the virtual time to `at`. */
  async runUntil(at: number): Promise<void> {
    await settled();
    for (let next = this.#tasks.at(-1); next !== undefined && next.at <= at; next = this.#tasks.at(-1)) {
      this.#tasks.pop();
      this.now = Math.max(this.now, next.at);
      next.run();
      await settled();
    }
    this.now = at;
  }

  /** Returns the environment of a member. Its timers stop when `isDead` returns true. */
  environment(isDead: () => boolean): MemberEnvironment {
    return {
      now: () => this.now,
      after: (milliseconds, task) =>
        this.after(milliseconds, () => {
          if (!isDead()) task();
        }),
      random: () => this.random(),
      id: () => `id-${++this.#ids}`,
    };
  }
}
