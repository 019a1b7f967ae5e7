/** Fleet stores. */
export {
  decodeEntry as decodeFleetEntry,
  decodeHead as decodeFleetHead,
  encodeEntry as encodeFleetEntry,
  encodeHead as encodeFleetHead,
  fleetStores,
  type Entry as FleetEntry,
  type FleetStore,
  type FleetStoreFactory,
  type Head as FleetHead,
  type Snapshot as FleetSnapshot,
  type StoreCapabilities,
  type StoreLease,
  type StoreWatch,
  type SwapResult,
  type Watcher as FleetWatcher,
  type Write as FleetWrite,
} from '@sluice/fleet/store';
