/** Input of the matchers `vars` and `vars_regexp`: a request variable or any placeholder. */
import { formatValue } from '@sluice/base';
import { resolveHttp, type Exchange } from '@sluice/http-app';

/** Reads a value as a string. Unset values are empty strings. */
export type ReadText = (exchange: Exchange) => string;

/** Compiles a key, which is a placeholder in braces or a variable name. If the value is an error, reading the value throws the error. */
export function readerOf(key: string): ReadText {
  if (key.startsWith('{') && key.endsWith('}')) {
    const read = resolveHttp(key.slice(1, -1));
    return read === null ? () => '' : (exchange) => textOf(read(exchange));
  }
  return (exchange) => textOf(exchange.variable(key));
}

/** Converts a value to a string. Throws error values, because an error message must not determine whether the value matches. */
function textOf(value: unknown): string {
  if (value instanceof Error) throw value;
  return formatValue(value);
}
