/** Shared parts of matcher syntaxes. */
import type { Grammar, Line, Written } from '@sluice/caddyfile';

const within = ['', 'layer4', ':443'];

/** Returns a syntax whose example is the matcher set of a route. */
export const matcher = (example: string, grammar: Grammar = {}): Grammar => ({
  ...grammar,
  within,
  example: `@example ${example}\nroute @example {\n\tproxy 10.0.0.1:443\n}`,
});

/** A single line follows the name; several are in a block. */
export function inlineOrBlock(lines: readonly Line[]): Written {
  const [only] = lines;
  return only !== undefined && lines.length === 1 ? only : lines.length === 0 ? {} : { block: lines };
}
