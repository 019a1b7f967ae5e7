/** Helpers for the Caddyfile syntax of layer 4 matchers. */
import type { Grammar, Line, Written } from '@sluice/caddyfile';

const within = ['', 'layer4', ':443'];

/** Returns a grammar whose example is a route with the matcher. */
export const matcher = (example: string, grammar: Grammar = {}): Grammar => ({
  ...grammar,
  within,
  example: `@example ${example}\nroute @example {\n\tproxy 10.0.0.1:443\n}`,
});

/** Formats one line after the matcher's name, or several lines in a block. */
export function inlineOrBlock(lines: readonly Line[]): Written {
  const [only] = lines;
  return only !== undefined && lines.length === 1 ? only : lines.length === 0 ? {} : { block: lines };
}
