/** Checks all directives before translation. Warns about unknown and unsupported directives. */
import type { Adaptation } from '../adaptation.ts';
import { problemAt } from '../problem.ts';
import type { Directive } from '../syntax/directive.ts';
import { knownDirectives as known } from './known.ts';

export function checkDirectives(adaptation: Adaptation, directives: readonly Directive[], block = 'main'): void {
  for (const directive of directives) {
    const rule = known.get(directive.name);
    if (rule === undefined) {
      adaptation.warn(directive, `unknown directive ${directive.name} is ignored${suggestion(directive.name)}`);
      continue;
    }
    if (!rule.in.includes(block) && !(block === 'upstream' && directive.name === 'server'))
      throw problemAt(
        directive,
        `${directive.name} is not allowed in ${block === 'main' ? 'the main context' : block}, only in ${rule.in.join(', ')}`,
      );
    if (rule.consequence !== undefined) adaptation.warn(directive, sentence(directive.name, rule.consequence));
    if (directive.block !== null && rule.opaque !== true) checkDirectives(adaptation, directive.block, directive.name);
  }
}

function sentence(name: string, consequence: string): string {
  const harmless = 'it has no effect: ';
  if (consequence.startsWith(harmless)) return `${name} has no effect: ${consequence.slice(harmless.length)}`;
  return `${name} is not supported: ${consequence}`;
}

/** Returns the known directive with the most similar name, as a suggestion. */
function suggestion(name: string): string {
  for (const other of known.keys()) if (isNear(name, other)) return `; did you mean ${other}?`;
  return '';
}

/** Reports whether two names differ by exactly one inserted, deleted, replaced or transposed letter. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || Math.min(a.length, b.length) < 3) return false;
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  let behind = 0;
  while (behind < Math.min(a.length, b.length) - from && a.at(-1 - behind) === b.at(-1 - behind)) behind++;
  const [left, right] = [a.slice(from, a.length - behind), b.slice(from, b.length - behind)];
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && left === [...right].reverse().join(''));
}
