/** Input of variable matchers: a variable or any placeholder. */
import { formatValue } from '@sluice/base';
import { resolveHttp, type Exchange } from '@sluice/http-app';

/** Reads a value as a string; unset values are empty. */
export type ReadText = (exchange: Exchange) => string;

/** Compiles a key: a placeholder in braces, or a variable name. Throws values that are errors. */
export function readerOf(key: string): ReadText {
  if (key.startsWith('{') && key.endsWith('}')) {
    const read = resolveHttp(key.slice(1, -1));
    return read === null ? () => '' : (exchange) => textOf(read(exchange));
  }
  return (exchange) => textOf(exchange.variable(key));
}

/** Returns a value as text. An error is thrown, so that its text doesn't determine a match. */
function textOf(value: unknown): string {
  if (value instanceof Error) throw value;
  return formatValue(value);
}
