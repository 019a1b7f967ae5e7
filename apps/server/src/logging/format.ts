/** Formats log entries, as JSON with Caddy's field names or as readable text. */
import { fieldJson, spacedFieldJson, type LogEntry, type LogLevel } from '@sluice/base';

/** Function that formats a log entry as one line, without a line break. */
export type Format = (entry: LogEntry) => string;

/** Formats an entry as `{"level":"info","ts":1700000000.123,"logger":"http","msg":"…", …fields}`. `ts` is in seconds since the Unix epoch. */
export const formatJson: Format = ({ level, time, logger, message, fields }) => {
  const head = { level, ts: time / 1000, ...(logger === '' ? {} : { logger }), msg: message };
  return fieldJson({ ...head, ...fields, ...head });
};

const colors: Readonly<Record<LogLevel, number>> = { debug: 35, info: 34, warn: 33, error: 31 };

/**
 * Formats an entry as `2026/01/31 08:44:01.123 INFO http message {"field": "value"}`, with tabs as separators. The `console` encoder has
 * the same default format. Terminal output therefore looks the same before and after a configuration is active.
 */
export function formatText(color: boolean): Format {
  return ({ level, time, logger, message, fields }) => {
    const label = level.toUpperCase();
    const parts = [clock(time), color ? `\u001b[${colors[level]}m${label}\u001b[0m` : label];
    if (logger !== '') parts.push(visible(logger));
    parts.push(visible(message));
    if (Object.keys(fields).length > 0) parts.push(visible(spacedFieldJson(fields)));
    return parts.join('\t');
  };
}

/** Escapes control characters. Clients control some of the logged data, and must not be able to send escape sequences to a terminal. */
function visible(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (unit) => `\\x${unit.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function clock(time: number): string {
  return new Date(time).toISOString().replaceAll('-', '/').replace('T', ' ').replace('Z', '');
}
