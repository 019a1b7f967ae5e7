/** The fleet store interface. A store keeps the shared document in a database that operators already run. */
import { namespace, type Namespace } from '@sluice/registry';
import type { Json } from '@sluice/base';
import type { Entry, Head } from './entry.ts';

/** Guarantees of a store, which operators can read. */
export interface StoreCapabilities {
  /** True if a read that starts after a successful swap returns its result on every node of the store. */
  readonly linearizable: boolean;
  /** True if acknowledged writes survive a crash of all nodes. */
  readonly durable: boolean;
  /**
   * What happens to acknowledged changes after a failover: `none` means no failover, `safe` means all are kept, `lossy` means some
   * may be lost.
   */
  readonly failover: 'none' | 'safe' | 'lossy';
}

export type SwapResult =
  | { readonly outcome: 'swapped' }
  /** The head has changed; nothing was written. */
  | { readonly outcome: 'lost'; readonly head: Head | null }
  /** The log already contains the change, so no entry was written. */
  | { readonly outcome: 'known'; readonly rev: number };

/** The whole document at a revision. */
export interface Snapshot {
  readonly head: Head;
  readonly document: Json;
}

/** Log observer. Calls are sequential, and never made within {@link FleetStore.watch} itself. */
export interface Watcher {
  entry(entry: Entry): void;
  /** The requested entries were trimmed, and the watch has ended. Load the snapshot, and start a watch from there. */
  trimmed(): void;
  /**
   * Called if the store has lost or replaced entries that the watch had already received, for example after a failover
   * or restore. The watch has ended without delivering entries of the other history. The member compares its history
   * itself, with {@link continues}.
   */
  forked(head: Head | null): void;
  /** Called when the store is unavailable, and again for each failed attempt. The watch resumes by itself. */
  broken(error: unknown): void;
}

/** An active watch. */
export interface StoreWatch {
  close(): void;
}

/** A name that is leased while its owner is alive. */
export interface StoreLease {
  readonly name: string;
  /** Aborted when the lease is lost, or may be lost because the store was unavailable for its duration. */
  readonly lost: AbortSignal;
  /** Releases the lease. Never rejects. May be called repeatedly. */
  release(): Promise<void>;
}

/** A value to set, or to remove if it is `null`. */
export interface Write {
  readonly key: string;
  readonly value: string | null;
  /** True to remove the value with the lease. */
  readonly bound?: boolean;
}

/**
 * A store, as used by one member. If the store is unavailable, methods reject with ERR_FLEET_STORE and change nothing.
 *
 * Only `swap` and `transaction` can reject with ERR_FLEET_UNKNOWN. The caller can then repeat the swap, because at most one attempt is
 * applied.
 */
export interface FleetStore {
  readonly capabilities: StoreCapabilities;
  /** Returns the log head; `null` before the first swap. */
  head(): Promise<Head | null>;
  /** Appends up to 60 entries after `base`, if the log still ends at `base` and does not contain their changes. */
  swap(base: Head | null, lineage: string, entries: readonly Entry[]): Promise<SwapResult>;
  /** Returns the existing entries from `from` to `to`, inclusive; `null` if `from` was trimmed. */
  log(from: number, to: number): Promise<readonly Entry[] | null>;
  /** Returns the revision of a change, or `null`. Trimmed entries are not found. */
  find(op: string): Promise<number | null>;
  /** Calls `watcher` with each entry from revision `from`: first with existing entries, then with new entries. */
  watch(from: number, watcher: Watcher): StoreWatch;
  /** Returns the last saved snapshot, or `null`. */
  snapshot(): Promise<Snapshot | null>;
  /** Saves a snapshot, and deletes older snapshots. */
  saveSnapshot(snapshot: Snapshot): Promise<void>;
  /** Deletes the entries before revision `keep`. */
  trim(keep: number): Promise<void>;
  /** Acquires a lease that expires `seconds` after the last renewal; `null` if someone else has the lease. */
  lease(name: string, value: string, seconds: number): Promise<StoreLease | null>;
  /** Returns the values of active leases whose names begin with `prefix`, by name. */
  leases(prefix: string): Promise<ReadonlyMap<string, string>>;
  /** Writes all values, or none if the lease was lost. Resolves to true if the values were written. */
  transaction(lease: StoreLease, writes: readonly Write[]): Promise<boolean>;
  /** Returns the values whose keys begin with `prefix`. */
  values(prefix: string): Promise<ReadonlyMap<string, string>>;
  /** Ends watches, releases leases, and closes connections. */
  close(): Promise<void>;
}

/** `sluice.fleet.stores`: inline key `engine`. Each module provisions a function that opens a cluster's store. */
export const fleetStores: Namespace<FleetStoreFactory> = namespace<FleetStoreFactory>('sluice.fleet.stores');

/** Module instance that opens the store of a cluster by name. */
export interface FleetStoreFactory {
  open(cluster: string): FleetStore;
}
