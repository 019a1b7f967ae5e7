/** Converts placeholder values to CEL values. */
import type { CelInput } from '@bufbuild/cel';
import { create } from '@bufbuild/protobuf';
import { DurationSchema, timestampFromMs, type Duration } from '@bufbuild/protobuf/wkt';
import { resolveHttp, type Exchange } from '@sluice/http-app';

export type ReadValue = (exchange: Exchange) => CelInput;

/** Placeholders whose values are not strings in expressions. */
const typed: ReadonlyMap<string, ReadValue> = new Map<string, ReadValue>([
  ['time.now', () => timestampFromMs(Date.now())],
  ['http.request.duration', ({ startedAt }) => durationOf(performance.now() - startedAt)],
  ['http.request.remote.port', ({ connection }) => BigInt(connection.remotePort)],
  ['http.request.local.port', ({ connection }) => BigInt(connection.localPort)],
]);

/** Placeholders that are `null` in expressions if their string value is empty. */
const nullable = new Set(['http.time_until_shutdown']);

/** Placeholders that are numbers in expressions if their string value consists of digits. */
const numbers = new Set(['http.request.port', 'http.error.status_code']);

/** Compiles a placeholder reference. Unknown placeholders are `null`. */
export function readerOfPlaceholder(name: string): ReadValue {
  const special = typed.get(name);
  if (special !== undefined) return special;
  // An unset variable is an empty string in templates, but `null` in expressions.
  if (name.startsWith('http.vars.')) return (exchange) => toCelInput(exchange.variable(name.slice(10)));
  const read = resolveHttp(name);
  if (read === null) return () => null;
  if (numbers.has(name)) return (exchange) => toWholeNumber(read(exchange));
  if (nullable.has(name)) return (exchange) => toCelInput(read(exchange) || null);
  if (name.startsWith('time.')) return (exchange) => String(read(exchange));
  if (name.startsWith('http.request.tls.'))
    return (exchange) => (exchange.connection.tls === null ? null : toCelInput(read(exchange)));
  return (exchange) => toCelInput(read(exchange));
}

function toWholeNumber(value: unknown): CelInput {
  return /^\d+$/.test(String(value)) ? BigInt(String(value)) : toCelInput(value);
}

function durationOf(milliseconds: number): Duration {
  const seconds = Math.floor(milliseconds / 1000);
  return create(DurationSchema, { seconds: BigInt(seconds), nanos: Math.floor((milliseconds - seconds * 1000) * 1e6) });
}

/** Converts a JSON value to a CEL value. Numbers become doubles. */
function toCelInput(value: unknown): CelInput {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return value;
  if (Array.isArray(value)) return value.map(toCelInput);
  if (value instanceof Error) throw value;
  if (typeof value === 'object') return new Map(Object.entries(value).map(([key, item]) => [key, toCelInput(item)]));
  return String(value);
}
