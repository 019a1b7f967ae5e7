/** The root directory for files, as configured, with placeholders. */
import type { Exchange } from '../exchange/exchange.ts';
import { compileText } from '../placeholders/resolve.ts';

const defaultRoot = '{http.vars.root}';

/**
 * Root to use if a placeholder has no value. Matches no file. Otherwise, `sites-{tenant}` or `sites/{tenant}` without a
 * tenant would be another directory, for example with the files of all tenants.
 */
export const noRoot = '\0';

/**
 * Compiles a root. A placeholder without a value results in {@link noRoot}. Without `root` and the variable, the root
 * is empty.
 */
export function compileRoot(root: string | null | undefined): (exchange: Exchange) => string {
  const source = root || defaultRoot;
  const template = compileText(source, 'empty');
  const { constant } = template;
  if (constant !== null) return () => constant;
  if (source === defaultRoot) return (exchange) => template.expand(exchange);
  return (exchange) => template.filled(exchange) ?? noRoot;
}
