/** Generates Caddyfiles from the grammar. */
import type { Random } from '../differential/random.ts';
import { grammar } from './grammar/grammar.ts';

/** Maximum depth at which optional parts are still generated. */
const maxDepth = 14;

export function makeCaddyfile(random: Random): string {
  const text = expand('file', random, 0);
  return `${text.replaceAll(/\n{2,}/g, '\n').trim()}\n`;
}

function expand(name: string, random: Random, depth: number): string {
  const chosen = random.pick(grammar[name] ?? ['']);
  return chosen.replaceAll(/<(\w+)([?*]?)>/g, (whole: string, inner: string, times: string) => {
    if (grammar[inner] === undefined) return whole;
    if (times === '?') return random.chance(0.4) && depth < maxDepth ? expand(inner, random, depth + 1) : '';
    if (times === '') return expand(inner, random, depth + 1);
    const count = depth > 4 ? random.integer(0, 1) : random.integer(0, 3);
    return Array.from({ length: depth < maxDepth ? count : 0 }, () => expand(inner, random, depth + 1)).join('\n');
  });
}
