/** The part of this package that implementations of a store need: the contract, and the form of what it stores. */
export {
  fleetStores,
  type FleetStore,
  type FleetStoreFactory,
  type Snapshot,
  type StoreCapabilities,
  type StoreLease,
  type StoreWatch,
  type SwapResult,
  type Watcher,
  type Write,
} from './store.ts';
export { decodeEntry, decodeHead, encodeEntry, encodeHead, type Entry, type Head } from './entry.ts';
