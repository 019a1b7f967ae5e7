/** Root directory for files, as configured. The path may contain placeholders. */
import type { Exchange } from '../exchange/exchange.ts';
import { compileText } from '../placeholders/resolve.ts';

const defaultRoot = '{http.vars.root}';

/**
 * Root for requests in which a placeholder has no value. This root matches no file. Otherwise, an empty tenant in `sites-{tenant}` or
 * `sites/{tenant}` would select a different directory, which could contain the files of all tenants.
 */
export const noRoot = '\0';

/**
 * Compiles a root path. If a placeholder has no value, the result is {@link noRoot}. If neither `root` nor the root variable is set, the
 * result is an empty path.
 */
export function compileRoot(root: string | null | undefined): (exchange: Exchange) => string {
  const source = root || defaultRoot;
  const template = compileText(source, 'empty');
  const { constant } = template;
  if (constant !== null) return () => constant;
  if (source === defaultRoot) return (exchange) => template.expand(exchange);
  return (exchange) => template.filled(exchange) ?? noRoot;
}
