/** A store that runs on this machine, and its faults. */
import type { JsonObject } from '@sluice/base';
import type { Random } from '../random.ts';

export interface Fault {
  readonly name: string;
  /** Causes the fault for this many milliseconds. Resolves after the repair. */
  strike(milliseconds: number): Promise<void>;
  /** Maximum duration in milliseconds. A few seconds by default. */
  readonly longest?: number;
}

/** A store with all its nodes, which members reach through relays. */
export interface StoreEngine {
  readonly name: string;
  /** Store address, as for `--fleet`. */
  address(cluster: string): string;
  /** Options of the store's module for the same address. */
  readonly store: JsonObject;
  /** Possible faults, one at a time. */
  readonly faults: readonly Fault[];
  /** Returns all keys and values of the store. */
  dump(): Promise<readonly Buffer[]>;
  /** Stops the store. Resolves with a function that restarts it. */
  takeAway(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

/** Options for starting a store. */
export interface EngineOptions {
  readonly random: Random;
  /** Enables disk synchronization if the store has the option. Only measurements need this, because a killed process loses no data. */
  readonly fsync?: boolean;
}
