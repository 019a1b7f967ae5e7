/** Parses log lines into table columns. Supports the server's default formats: JSON, console and logfmt. */
import { isObject, own, type Json, type JsonObject } from './json.ts';

/** A parsed log line. Missing columns are empty. */
export interface LogLine {
  readonly id: number;
  readonly output: string;
  /** The original log line. */
  readonly text: string;
  /** Time of the log line, in milliseconds since the epoch. If the line contains no parseable time, this is the time of receipt. */
  readonly time: number;
  readonly level: string;
  readonly logger: string;
  readonly message: string;
  readonly host: string;
  readonly method: string;
  /** Response status, or `null` if the line is not about a request. */
  readonly status: number | null;
  readonly milliseconds: number | null;
  /** Path and query string of the request. */
  readonly path: string;
  /** All fields of the line, or `null` if there are none. */
  readonly fields: JsonObject | null;
}

export interface Received {
  readonly id: number;
  readonly output: string;
  readonly at: number;
}

/** Filters for log lines, by column. Empty filters match every line. */
export interface LogFilters {
  readonly level: string;
  readonly logger: string;
  readonly host: string;
  readonly method: string;
  /** A status code, or a status class such as `5xx`. */
  readonly status: string;
  readonly path: string;
  /** Minimum duration of the request, in milliseconds. */
  readonly slower: string;
  /** String to find anywhere in the line. */
  readonly find: string;
}

export const filterNames = ['level', 'logger', 'host', 'method', 'status', 'path', 'slower', 'find'] as const;

export const levels = ['debug', 'info', 'warn', 'error'] as const;

const severities: Readonly<Record<string, number>> = {
  debug: 0,
  info: 1,
  warn: 2,
  warning: 2,
  error: 3,
  dpanic: 4,
  panic: 4,
  fatal: 4,
};

const unitSizes: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

export function parseLogLine(text: string, { id, output, at }: Received): LogLine {
  const { fields, time, level, logger, message } = fieldsOf(text);
  const find = (name: string): Json | undefined =>
    own(own(fields ?? {}, 'request'), name) ?? own(fields ?? {}, `request.${name}`);
  const status = Number(own(fields ?? {}, 'status') ?? Number.NaN);
  return {
    id,
    output,
    text,
    time: timeOf(time) ?? at,
    level: textOf(level).toLowerCase(),
    logger: textOf(logger),
    message: textOf(message),
    host: textOf(find('host')),
    method: textOf(find('method')),
    status: Number.isInteger(status) ? status : null,
    milliseconds: millisecondsOf(own(fields ?? {}, 'duration')),
    path: textOf(find('uri')),
    fields,
  };
}

export function matchesFilters(line: LogLine, filters: LogFilters): boolean {
  const { level, logger, host, method, status, path, slower, find } = filters;
  return (
    (level === '' || (severities[line.level] ?? 1) >= (severities[level] ?? 0)) &&
    (status === '' || matchesStatus(line.status, status)) &&
    (method === '' || line.method.toLowerCase() === method.toLowerCase()) &&
    (slower === '' || (line.milliseconds ?? -1) >= Number(slower)) &&
    includes(line.logger, logger) &&
    includes(line.host, host) &&
    includes(line.path, path) &&
    includes(line.text, find)
  );
}

/** Returns the severity of a log line. The severity determines the color and symbol of the line. */
export function healthOfLine({ level, status }: LogLine): 'ok' | 'warn' | 'bad' | 'idle' {
  const severity = severities[level] ?? 1;
  if (severity >= 3 || (status ?? 0) >= 500) return 'bad';
  if (severity === 2 || (status ?? 0) >= 400) return 'warn';
  return severity === 0 ? 'idle' : 'ok';
}

interface LineParts {
  readonly fields: JsonObject | null;
  readonly time?: Json | undefined;
  readonly level?: Json | undefined;
  readonly logger?: Json | undefined;
  readonly message?: Json | undefined;
}

function fieldsOf(text: string): LineParts {
  const start = text.indexOf('{');
  const fields = start < 0 ? null : objectIn(text.slice(start));
  if (fields !== null && start === 0) return { fields, ...partsOf(fields) };
  const words = (fields === null ? text : text.slice(0, start)).replace(/\t$/, '').split('\t');
  // Console format: time, level, optional logger and message, separated by tabs.
  if (words.length > 2 && (words[1] ?? '').toLowerCase() in severities)
    return {
      fields,
      time: words[0],
      level: words[1],
      logger: words.length > 3 ? words[2] : '',
      message: words.slice(words.length > 3 ? 3 : 2).join(' '),
    };
  const pairs = [...text.matchAll(/([\w.@-]+)=("(?:[^"\\]|\\.)*"|\S*)/g)];
  if (pairs.length < 2) return { fields, message: text };
  const flat = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, unquoted(value)]));
  return { fields: flat, ...partsOf(flat) };
}

function partsOf(fields: JsonObject): Omit<LineParts, 'fields'> {
  const first = (...names: readonly string[]): Json | undefined =>
    names.map((name) => own(fields, name)).find((value) => value !== undefined);
  return {
    time: first('ts', 'time', 'timestamp', '@timestamp'),
    level: first('level', 'severity'),
    logger: first('logger', 'name'),
    message: first('msg', 'message'),
  };
}

function objectIn(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}

/** Parses a time: a date string, or seconds, milliseconds or nanoseconds since the epoch. The magnitude determines the unit. */
function timeOf(value: Json | undefined): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number))
    return number > 1e16 ? number / 1e6 : number > 1e11 ? number : number * 1000;
  if (typeof value !== 'string') return null;
  const date = Date.parse(value.replace(/^(\d{4})\/(\d\d)\/(\d\d)/, '$1-$2-$3'));
  return Number.isNaN(date) ? null : date;
}

/** Parses a duration. By default, the server writes durations in seconds. A duration can also be a string with a unit. */
function millisecondsOf(value: Json | undefined): number | null {
  const number = Number(value ?? Number.NaN);
  if (Number.isFinite(number)) return number * 1000;
  const parts = typeof value === 'string' ? [...value.matchAll(/([\d.]+)(ns|us|[µμ]s|ms|s|m|h)/g)] : [];
  if (parts.length === 0) return null;
  return parts.reduce((sum, [, size = '', unit = '']) => sum + Number(size) * (unitSizes[unit] ?? 0), 0);
}

function matchesStatus(status: number | null, wanted: string): boolean {
  if (status === null) return false;
  return /^\dxx$/i.test(wanted) ? String(status)[0] === wanted[0] : String(status).startsWith(wanted);
}

function includes(text: string, wanted: string): boolean {
  return wanted === '' || text.toLowerCase().includes(wanted.toLowerCase());
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
