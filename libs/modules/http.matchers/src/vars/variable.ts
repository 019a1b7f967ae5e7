/** What the matchers of variables look at: a variable, or any placeholder. */
import { formatValue } from '@sluice/base';
import { resolveHttp, type Exchange } from '@sluice/http-app';

/** Reads a value as text; what is not set is the empty text. */
export type ReadText = (exchange: Exchange) => string;

/** A key in braces is a placeholder; any other is the name of a variable. A value that is an error is thrown. */
export function readerOf(key: string): ReadText {
  if (key.startsWith('{') && key.endsWith('}')) {
    const read = resolveHttp(key.slice(1, -1));
    return read === null ? () => '' : (exchange) => textOf(read(exchange));
  }
  return (exchange) => textOf(exchange.variable(key));
}

/** Nothing may be decided by the text of an error. */
function textOf(value: unknown): string {
  if (value instanceof Error) throw value;
  return formatValue(value);
}
