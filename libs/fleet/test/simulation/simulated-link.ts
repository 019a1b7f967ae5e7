/** Simulates the network between a member and the store. Depending on the seed, it delays, drops and duplicates messages, or disconnects. */
import { storeError, unknownResult, type Link } from '@sluice/fleet';
import type { World } from './world.ts';

const decides = new Set(['swap', 'transaction']);

/** The simulated network connection of one member. */
export class SimulatedLink implements Link {
  /** Simulated time until which all messages are blocked. */
  cutUntil = 0;
  /** Probability of a network fault, from 0 to 1. */
  trouble: number;
  readonly #world: World;
  readonly #isDead: () => boolean;

  constructor(world: World, trouble: number, isDead: () => boolean) {
    this.#world = world;
    this.trouble = trouble;
    this.#isDead = isDead;
  }

  async send(): Promise<void> {
    await this.#travel();
    if (this.#fails) throw storeError('the request was dropped');
  }

  async receive(operation: string): Promise<void> {
    await this.#travel();
    if (!this.#fails) return;
    const error = storeError('the response was dropped');
    throw decides.has(operation) ? unknownResult(error) : error;
  }

  watched(deliver: () => void, cut: () => void): void {
    this.#world.after(this.#delay(), () => {
      if (this.#isDead()) return;
      if (this.#fails) this.#world.after(20, () => this.#isDead() || cut());
      else deliver();
    });
  }

  get #fails(): boolean {
    return this.#world.now < this.cutUntil || this.#world.random() < this.trouble;
  }

  async #travel(): Promise<void> {
    await this.#world.wait(this.#delay());
    // A killed member no longer receives messages.
    if (this.#isDead()) await new Promise(() => {});
  }

  /** Returns a random delay, which is usually short and occasionally long. */
  #delay(): number {
    const { random } = { random: this.#world.random() };
    return random < 0.9 ? random * 5 : random * 200;
  }
}
