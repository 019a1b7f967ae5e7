/** Input of variable matchers: a variable or any placeholder. */
import { formatValue } from '@sluice/base';
import { resolveHttp, type Exchange } from '@sluice/http-app';

/** Reads a value as a string; unset values are empty. */
export type ReadText = (exchange: Exchange) => string;

/** A key in braces is a placeholder; any other key is a variable name. Throws values that are errors. */
export function readerOf(key: string): ReadText {
  if (key.startsWith('{') && key.endsWith('}')) {
    const read = resolveHttp(key.slice(1, -1));
    return read === null ? () => '' : (exchange) => textOf(read(exchange));
  }
  return (exchange) => textOf(exchange.variable(key));
}

/** An error's text must not determine a match. */
function textOf(value: unknown): string {
  if (value instanceof Error) throw value;
  return formatValue(value);
}
