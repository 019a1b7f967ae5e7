/**
 * State shared between threads. Every traffic thread provisions the whole configuration, so a module's variables exist once per thread.
 *
 * Use a {@link SharedCell} for exact counts across threads, and the bus for infrequent messages.
 */
export {
  question,
  sharedCellsToken,
  threadBusToken,
  topic,
  type Question,
  type SharedCell,
  type SharedCells,
  type ThreadBus,
  type Topic,
} from '@sluice/threads';
export { metricsToken, type Metrics } from '@sluice/telemetry';
