/** An engine of stores that runs on this machine, and what can be done to it. */
import type { Random } from '../random.ts';

/** Something that breaks. */
export interface Fault {
  readonly name: string;
  /** Breaks it for so many milliseconds; resolves when it is whole again. */
  strike(milliseconds: number): Promise<void>;
  /** Milliseconds that it lasts at most; without it, a few seconds. */
  readonly longest?: number;
}

/** A store with all its nodes, which members reach through relays. */
export interface StoreEngine {
  readonly name: string;
  /** The address of a fleet, as `--fleet` takes it. */
  address(cluster: string): string;
  /** What can happen to it. One at a time. */
  readonly faults: readonly Fault[];
  stop(): Promise<void>;
}

/** What engines are started with. */
export interface EngineOptions {
  readonly random: Random;
}
