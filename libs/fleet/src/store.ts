/** The contract of a store: where a fleet keeps its document, in an engine that operators already trust. */
import { namespace, type Namespace } from '@sluice/registry';
import type { Json } from '@sluice/base';
import type { Entry, Head } from './entry.ts';

/** What a store can promise; shown to operators. */
export interface StoreCapabilities {
  /** A read that began after a swap had succeeded sees it, on whichever node of the store. */
  readonly linearizable: boolean;
  /** What was acknowledged survives a crash of every node. */
  readonly durable: boolean;
  /** What becomes of acknowledged changes when another node takes over: none, all kept, or some may be lost. */
  readonly failover: 'none' | 'safe' | 'lossy';
}

/** What came of a swap. */
export type SwapResult =
  | { readonly outcome: 'swapped' }
  /** The head is another one; nothing was written. */
  | { readonly outcome: 'lost'; readonly head: Head | null }
  /** The change of an entry is in the log already; nothing was written now. */
  | { readonly outcome: 'known'; readonly rev: number };

/** The whole document as of a revision. */
export interface Snapshot {
  readonly head: Head;
  readonly document: Json;
}

/** Who watches the log. Called one after the other, never within {@link FleetStore.watch} itself. */
export interface Watcher {
  /** The next entry, without gaps. */
  entry(entry: Entry): void;
  /** The log does not reach back so far; the watch has ended. Take the snapshot, and watch from there. */
  trimmed(): void;
  /**
   * The store has lost or replaced entries that the watch had seen, such as by a failover or a backup that was restored; the watch has ended, and
   * nothing of the other history was delivered. What a member had before it watched it compares by itself, with {@link continues}.
   */
  forked(head: Head | null): void;
  /** The store cannot be reached; the watch goes on by itself when it can. Called again for each failed attempt. */
  broken(error: unknown): void;
}

/** A watch that goes on. */
export interface StoreWatch {
  close(): void;
}

/** A name that is held while its holder lives. */
export interface StoreLease {
  readonly name: string;
  /** Aborted when the lease was lost, or may have been, as the store was out of reach for as long as it lasts. */
  readonly lost: AbortSignal;
  /** Gives it back. Never rejects, and does nothing the second time. */
  release(): Promise<void>;
}

/** A value to be set, or removed where it is `null`. */
export interface Write {
  readonly key: string;
  readonly value: string | null;
  /** Remove it with the lease. */
  readonly bound?: boolean;
}

/**
 * A store, as one member uses it. What cannot be reached rejects with ERR_FLEET_STORE, and nothing was changed; only `swap` and
 * `transaction` may reject with ERR_FLEET_UNKNOWN. A swap may be sent again after that: at most one of them is made.
 */
export interface FleetStore {
  readonly capabilities: StoreCapabilities;
  /** Where the log ends; `null` before the first swap. */
  head(): Promise<Head | null>;
  /** Adds entries that follow `base`, if the log still ends there and has none of their changes. 60 entries at most. */
  swap(base: Head | null, lineage: string, entries: readonly Entry[]): Promise<SwapResult>;
  /** The entries `from` to `to`, both included, as far as they are there; `null` if `from` was trimmed. */
  log(from: number, to: number): Promise<readonly Entry[] | null>;
  /** The revision that a change became, or `null`; one whose entry was trimmed is not found. */
  find(op: string): Promise<number | null>;
  /** Calls `watcher` with each entry from the revision `from` on: those that are there, then those that come. */
  watch(from: number, watcher: Watcher): StoreWatch;
  /** The last snapshot that was saved, or `null`. */
  snapshot(): Promise<Snapshot | null>;
  /** Saves a snapshot, and drops older ones. */
  saveSnapshot(snapshot: Snapshot): Promise<void>;
  /** Drops the entries before the revision `keep`. */
  trim(keep: number): Promise<void>;
  /** Takes a lease that ends `seconds` after its holder stopped; `null` while another holds it. */
  lease(name: string, value: string, seconds: number): Promise<StoreLease | null>;
  /** The values of the leases that are held, by name, whose names begin with `prefix`. */
  leases(prefix: string): Promise<ReadonlyMap<string, string>>;
  /** Writes all, or nothing if the lease is not held any more; whether it did. */
  transaction(lease: StoreLease, writes: readonly Write[]): Promise<boolean>;
  /** The values whose keys begin with `prefix`. */
  values(prefix: string): Promise<ReadonlyMap<string, string>>;
  /** Ends watches, gives back leases, and closes connections. */
  close(): Promise<void>;
}

/** `sluice.fleet.stores`: inline key `engine`. Each provisions a function that opens the store of a cluster. */
export const fleetStores: Namespace<FleetStoreFactory> = namespace<FleetStoreFactory>('sluice.fleet.stores');

/** What a module of the namespace makes: opens the store of the cluster with this name. */
export interface FleetStoreFactory {
  open(cluster: string): FleetStore;
}
