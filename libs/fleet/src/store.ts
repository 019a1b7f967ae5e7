/** Interface of fleet stores. A store keeps the shared document in a database that operators already run. */
import { namespace, type Namespace } from '@sluice/registry';
import type { Json } from '@sluice/base';
import type { Entry, Head } from './entry.ts';

/** Guarantees of a fleet store, for display to operators. */
export interface StoreCapabilities {
  /** True if a read that starts after a successful swap returns the new value on every node of the store. */
  readonly linearizable: boolean;
  /** True if acknowledged writes survive a crash of all nodes. */
  readonly durable: boolean;
  /**
   * Effect of a failover on acknowledged changes. `none`: the store has no failover. `safe`: all changes are kept. `lossy`: some changes
   * may be lost.
   */
  readonly failover: 'none' | 'safe' | 'lossy';
}

export type SwapResult =
  | { readonly outcome: 'swapped' }
  /** The head has changed, and nothing was written. */
  | { readonly outcome: 'lost'; readonly head: Head | null }
  /** The log already contains the change, so no entry was written. */
  | { readonly outcome: 'known'; readonly rev: number };

/** The entire document at a revision. */
export interface Snapshot {
  readonly head: Head;
  readonly document: Json;
}

/** Observer of the fleet log. Calls are sequential. {@link FleetStore.watch} itself never calls the observer synchronously. */
export interface Watcher {
  entry(entry: Entry): void;
  /** Called when the requested entries have been trimmed. The watch has ended. Load the snapshot and start a new watch from its position. */
  trimmed(): void;
  /**
   * Called if the store has lost or replaced entries that the watch had already received, for example after a failover or restore. The
   * watch has ended without delivering entries of the other history. The member compares the histories with {@link continues}.
   */
  forked(head: Head | null): void;
  /** Called when the store becomes unavailable, and again for each failed attempt. The watch resumes automatically. */
  broken(error: unknown): void;
}

/** An active watch. */
export interface StoreWatch {
  close(): void;
}

/** A lease of a name. The owner renews the lease for as long as it runs. */
export interface StoreLease {
  readonly name: string;
  /**
   * Signal that is aborted when the lease is lost. Also aborted if the store was unavailable for the entire lease duration, because the
   * lease may then be lost.
   */
  readonly lost: AbortSignal;
  /** Releases the lease. Never rejects. Repeated calls have no effect. */
  release(): Promise<void>;
}

/** A value to set. `null` removes the value. */
export interface Write {
  readonly key: string;
  readonly value: string | null;
  /** True if the store must remove the value when the lease ends. */
  readonly bound?: boolean;
}

/**
 * A fleet store, as one member accesses it. If the store is unavailable, methods reject with `ERR_FLEET_STORE` and nothing is changed.
 *
 * Only `swap` and `transaction` can reject with `ERR_FLEET_UNKNOWN`. The caller may then repeat the swap, because the store applies at most
 * one of the attempts.
 */
export interface FleetStore {
  readonly capabilities: StoreCapabilities;
  /** Returns the log head. Returns `null` before the first swap. */
  head(): Promise<Head | null>;
  /** Appends up to 60 entries after `base`. Succeeds only if the log still ends at `base` and does not contain the changes yet. */
  swap(base: Head | null, lineage: string, entries: readonly Entry[]): Promise<SwapResult>;
  /** Returns the existing entries from `from` to `to`, inclusive. Returns `null` if the entry at `from` was trimmed. */
  log(from: number, to: number): Promise<readonly Entry[] | null>;
  /** Returns the revision of a change by its operation ID. Returns `null` if there is none or the entry was trimmed. */
  find(op: string): Promise<number | null>;
  /** Calls `watcher` with each entry, starting at revision `from`. Existing entries come first, followed by new entries. */
  watch(from: number, watcher: Watcher): StoreWatch;
  /** Returns the most recent snapshot. Returns `null` if there is none. */
  snapshot(): Promise<Snapshot | null>;
  /** Saves a snapshot and deletes older snapshots. */
  saveSnapshot(snapshot: Snapshot): Promise<void>;
  /** Deletes all log entries before revision `keep`. */
  trim(keep: number): Promise<void>;
  /** Acquires a lease that expires `seconds` after its last renewal. Returns `null` if another owner holds the lease. */
  lease(name: string, value: string, seconds: number): Promise<StoreLease | null>;
  /** Returns the values of active leases whose names begin with `prefix`, keyed by name. */
  leases(prefix: string): Promise<ReadonlyMap<string, string>>;
  /** Writes all values in one transaction, or writes nothing if the lease was lost. Resolves to true if the values were written. */
  transaction(lease: StoreLease, writes: readonly Write[]): Promise<boolean>;
  /** Returns the values whose keys begin with `prefix`, keyed by key. */
  values(prefix: string): Promise<ReadonlyMap<string, string>>;
  /** Ends watches, releases leases, and closes connections. */
  close(): Promise<void>;
}

/**
 * Module namespace `sluice.fleet.stores`, with the inline key `engine`. Each module provisions a function that opens the store of a
 * cluster.
 */
export const fleetStores: Namespace<FleetStoreFactory> = namespace<FleetStoreFactory>('sluice.fleet.stores');

/** Store module, which opens the store of a cluster by name. */
export interface FleetStoreFactory {
  open(cluster: string): FleetStore;
}
