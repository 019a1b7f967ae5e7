/** Input of variable matchers: a connection variable or any placeholder. */
import { formatValue } from '@sluice/base';
import { resolveLayer4, type Layer4Connection } from '@sluice/layer4-app';

/** Reads a value as a string. Unknown variables are empty strings. */
export type ReadText = (connection: Layer4Connection) => string;

/** Compiles a key. A key in braces is a placeholder, and any other key is a variable name. */
export function readerOf(key: string): ReadText {
  if (!key.startsWith('{') || !key.endsWith('}')) return (connection) => formatValue(connection.variable(key));
  const read = resolveLayer4(key.slice(1, -1));
  return read === null ? () => '' : (connection) => formatValue(read(connection));
}
