/** Threads: the pool of traffic threads and its protocol, the bus between threads, counters in shared memory. */
export { question, threadBusToken, topic, type Question, type ThreadBus, type Topic, type Unsubscribe } from './bus.ts';
export { Channel, type ThreadPort } from './channel.ts';
export { ControlBus } from './control-bus.ts';
export { follow } from './follower.ts';
export { atUsualPriority, preferThisThread } from './priority.ts';
export { readOnlyCell } from './read-only-cell.ts';
export { SharedCells, sharedCellsToken, type SharedCell } from './shared-cells.ts';
export { lock, unlock } from './shared-locks.ts';
export { SharedMemory, sharedMemoryToken } from './shared-memory.ts';
export { allocateSharedCells, type SharedCellsMemory } from './slot-table.ts';
export type { SpawnedThread } from './spawned-thread.ts';
export { TrafficPool, type ThreadChange } from './traffic-pool.ts';
export { WorkerBus } from './worker-bus.ts';
export { inFlightNumber, maxName, Slab } from './tally/block.ts';
export { bucketCount, bucketOf, distributionOf, valueOf, type Distribution } from './tally/buckets.ts';
export { openTally, serveTally } from './tally/share-tally.ts';
export { isBusy, Tally, TallyBlock } from './tally/tally.ts';
export { TallyStore, tallyStoreToken, type TallyReading } from './tally/tally-store.ts';
