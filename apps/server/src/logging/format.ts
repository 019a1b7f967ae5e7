/** Log entries as lines: JSON with the reference's field names, or text for people. */
import type { LogEntry, LogLevel } from '@sluice/registry';

/** Writes an entry as one line without its line break. */
export type Format = (entry: LogEntry) => string;

/** `{"level":"info","ts":1700000000.123,"logger":"http","msg":"…", …fields}`; `ts` counts seconds since 1970. */
export const formatJson: Format = ({ level, time, logger, message, fields }) => {
  const head = { level, ts: time / 1000, ...(logger === '' ? {} : { logger }), msg: message };
  return stringify({ ...head, ...fields, ...head });
};

const colours: Readonly<Record<LogLevel, number>> = { debug: 90, info: 36, warn: 33, error: 31 };

/** `08:44:01.123 INFO  http  message  field=value`, in local time. */
export function formatText(colour: boolean): Format {
  const paint = (text: string, code: number): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return ({ level, time, logger, message, fields }) => {
    const label = paint(level.toUpperCase().padEnd(5), colours[level]);
    const name = logger === '' ? '' : `${paint(logger, 90)}  `;
    const shown = (value: unknown): string => (typeof value === 'string' ? visible(value) : stringify(value));
    const rest = Object.entries(fields).map(([key, value]) => `  ${paint(`${visible(key)}=`, 90)}${shown(value)}`);
    return `${paint(clock(time), 90)} ${label} ${name}${visible(message)}${rest.join('')}`;
  };
}

/** Clients choose some of what is logged; a terminal must not take orders from them. */
function visible(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (unit) => `\\x${unit.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function clock(time: number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** JSON of anything: what JSON cannot say becomes text, and nothing throws. */
function stringify(value: unknown): string {
  try {
    return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? 'null';
  } catch {
    return JSON.stringify(String(value));
  }
}
