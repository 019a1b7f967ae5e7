/** Fleets of machines that share one configuration document. Contains the store interface, the change log, and an in-memory store. */
export {
  beginning,
  continues,
  decodeEntry,
  decodeHead,
  encodeEntry,
  encodeHead,
  entryAfter,
  follows,
  headAt,
  type Entry,
  type Head,
} from './entry.ts';
export { storeError, unknownResult, unreadableError } from './errors.ts';
export { MemoryCluster } from './memory/memory-cluster.ts';
export { MemoryStore } from './memory/memory-store.ts';
export {
  fleetStores,
  type FleetStore,
  type FleetStoreFactory,
  type Snapshot,
  type StoreCapabilities,
  type StoreLease,
  type SwapResult,
  type StoreWatch,
  type Watcher,
  type Write,
} from './store.ts';
export { Member } from './member/member.ts';
export { rebuild } from './member/rebuild.ts';
export { fleetMetrics } from './membership/metrics.ts';
export { Membership } from './membership/membership.ts';
export { systemEnvironment, type MemberEnvironment } from './environment.ts';
export type { Link } from './memory/link.ts';
export { WatchPlace } from './watch-place.ts';
