/** Converts the fields of log entries to plain JSON values. */
import type { LogEntry } from '@sluice/base';
import type { EntryFormat } from './options.ts';

/** Names of fields that contain a duration in milliseconds. */
const durationFields = new Set(['duration', 'latency', 'elapsed']);

/** Returns a log entry as an object. Keys are in output order: level, time, logger, message, fields. */
export function entryObject(entry: LogEntry, format: EntryFormat): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  if (format.levelKey !== null) object[format.levelKey] = format.level(entry.level);
  if (format.timeKey !== null) object[format.timeKey] = format.time(entry);
  if (format.nameKey !== null && entry.logger !== '') object[format.nameKey] = entry.logger;
  if (format.messageKey !== null) object[format.messageKey] = entry.message;
  return Object.assign(object, plainFields(entry.fields, format));
}

/** Returns the fields of a log entry, with durations formatted. */
export function plainFields(fields: LogEntry['fields'], format: EntryFormat): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    plain[name] = durationFields.has(name) && typeof value === 'number' ? format.duration(value) : value;
  return plain;
}
