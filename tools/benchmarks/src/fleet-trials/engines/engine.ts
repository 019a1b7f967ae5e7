/** An engine of stores that runs on this machine, and what can be done to it. */
import type { JsonObject } from '@sluice/base';
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
  /** The same, as options of the module of the store. */
  readonly store: JsonObject;
  /** What can happen to it. One at a time. */
  readonly faults: readonly Fault[];
  /** All that it holds, as bytes of keys and values. */
  dump(): Promise<readonly Buffer[]>;
  /** Ends all of it; resolves with how to start it again. */
  takeAway(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

/** What engines are started with. */
export interface EngineOptions {
  readonly random: Random;
  /** Whether it waits for the disk, where that is a choice. For measurements; the end of a process loses nothing without it. */
  readonly fsync?: boolean;
}
