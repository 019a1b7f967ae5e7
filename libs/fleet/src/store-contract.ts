/** API for implementing fleet stores: the store interface, and the serialization of stored values. */
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
