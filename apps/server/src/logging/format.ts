/** Log entries as lines: JSON with the reference's field names, or text for people. */
import type { LogEntry, LogLevel } from '@sluice/base';

/** Writes an entry as one line without its line break. */
export type Format = (entry: LogEntry) => string;

/** `{"level":"info","ts":1700000000.123,"logger":"http","msg":"…", …fields}`; `ts` counts seconds since 1970. */
export const formatJson: Format = ({ level, time, logger, message, fields }) => {
  const head = { level, ts: time / 1000, ...(logger === '' ? {} : { logger }), msg: message };
  return stringify({ ...head, ...fields, ...head });
};

const colours: Readonly<Record<LogLevel, number>> = { debug: 35, info: 34, warn: 33, error: 31 };

/**
 * `2026/01/31 08:44:01.123  INFO  http  message  {"field": "value"}`, with tabs between: what the encoder `console` writes
 * unless it is told otherwise, so that a terminal shows one format before and after a configuration is in force.
 */
export function formatText(colour: boolean): Format {
  return ({ level, time, logger, message, fields }) => {
    const label = level.toUpperCase();
    const parts = [clock(time), colour ? `\u001b[${colours[level]}m${label}\u001b[0m` : label];
    if (logger !== '') parts.push(visible(logger));
    parts.push(visible(message));
    if (Object.keys(fields).length > 0) parts.push(visible(spaced(JSON.parse(stringify(fields)) as unknown)));
    return parts.join('\t');
  };
}

/** Clients choose some of what is logged; a terminal must not take orders from them. */
function visible(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (unit) => `\\x${unit.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function clock(time: number): string {
  return new Date(time).toISOString().replaceAll('-', '/').replace('T', ' ').replace('Z', '');
}

/** JSON with a space after each comma and colon. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`);
  return `{${entries.join(', ')}}`;
}

/** JSON of anything: what JSON cannot say becomes text, and nothing throws. */
function stringify(value: unknown): string {
  try {
    return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? 'null';
  } catch {
    return JSON.stringify(String(value));
  }
}
