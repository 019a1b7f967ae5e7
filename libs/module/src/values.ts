/** Utilities for modules: errors, JSON values, durations, addresses, and regular expressions. */
export {
  compileRanges,
  compileRegExp,
  formatDuration,
  isArray,
  isObject,
  isSluiceError,
  messageOf,
  own,
  parseDuration,
  SluiceError,
  type ChunkedList,
  type Json,
  type JsonArray,
  type JsonObject,
  type Logger,
} from '@sluice/base';
