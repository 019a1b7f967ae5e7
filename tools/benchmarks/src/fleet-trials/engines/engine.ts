/** A fleet store that runs on the local machine, with its faults. */
import type { JsonObject } from '@sluice/base';
import type { Random } from '../random.ts';

export interface Fault {
  readonly name: string;
  /** Causes the fault for a number of milliseconds. Resolves after the repair. */
  strike(milliseconds: number): Promise<void>;
  /** Maximum duration of the fault, in milliseconds. Defaults to a few seconds. */
  readonly longest?: number;
}

/** A fleet store with all of its nodes. Members connect to the store through relays. */
export interface StoreEngine {
  readonly name: string;
  /** Store address in the format of `--fleet`. */
  address(cluster: string): string;
  /** Options of the store module that correspond to the address. */
  readonly store: JsonObject;
  /** Possible faults. Only one fault is active at a time. */
  readonly faults: readonly Fault[];
  /** Returns all keys and values of the store. */
  dump(): Promise<readonly Buffer[]>;
  /** Stops the store. Resolves to a function that restarts it. */
  takeAway(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

/** Options for starting a fleet store. */
export interface EngineOptions {
  readonly random: Random;
  /** Enables disk synchronization if the store has such an option. Only measurements require it, because a killed process loses no data. */
  readonly fsync?: boolean;
}
