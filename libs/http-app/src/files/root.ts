/** The folder of files as configurations name it, with placeholders. */
import type { Exchange } from '../exchange/exchange.ts';
import { compileText } from '../placeholders/resolve.ts';

/** The root of routes that set none. */
const defaultRoot = '{http.vars.root}';

/**
 * Stands for a root with a placeholder that has no value: no file has such a name. `sites-{tenant}` without a tenant, or
 * `sites/{tenant}`, would be another folder, with the files of all.
 */
export const noRoot = '\0';

/** Compiles a root. An exchange whose root loses a part gets {@link noRoot}; without `root` and variable it is empty. */
export function compileRoot(root: string | null | undefined): (exchange: Exchange) => string {
  const source = root || defaultRoot;
  const template = compileText(source, 'empty');
  const { constant } = template;
  if (constant !== null) return () => constant;
  if (source === defaultRoot) return (exchange) => template.expand(exchange);
  return (exchange) => template.filled(exchange) ?? noRoot;
}
