/**
 * What threads share. Each traffic thread provisions the whole configuration, so a variable of a module exists once in
 * each: a count that must be exact over all of them is a {@link SharedCell}, and what is rare is sent over the bus.
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
