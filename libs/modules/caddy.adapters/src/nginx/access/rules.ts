/** `allow` and `deny`: who may come in, by address. The first rule that matches counts. */
import { node, type Node } from '../json.ts';
import { problemAt } from '../problem.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { argument, type Directive } from '../syntax/directive.ts';

/** Matcher sets for those that are denied; empty where all may come in. */
export function deniedSets(site: Site, scope: Scope): Node[] {
  const rules = rulesOf(scope);
  const sets: Node[] = [];
  const allowed: string[] = [];
  for (const directive of rules) {
    const who = argument(directive, 0, 'an address, a range or all');
    if (who === 'unix:') {
      site.adaptation.warn(directive, `${directive.name} unix: has no counterpart and is left out`);
      continue;
    }
    if (who !== 'all' && !/^[\da-fA-F.:]+(?:\/\d{1,3})?$/.test(who))
      throw problemAt(
        directive,
        `expected an address, a range or all behind ${directive.name}, not ${JSON.stringify(who)}`,
      );
    if (directive.name === 'allow') {
      if (who === 'all') break;
      allowed.push(who);
      continue;
    }
    const range = who === 'all' ? undefined : { ranges: [who] };
    const exceptions = allowed.length === 0 ? undefined : [{ client_ip: { ranges: [...allowed] } }];
    sets.push(node({ client_ip: range, not: exceptions }));
    if (who === 'all') break;
  }
  return sets;
}

/** Rules are inherited together: a block with either name has its own. */
function rulesOf(scope: Scope): Directive[] {
  const own = scope.directives.filter(({ name }) => name === 'allow' || name === 'deny');
  return own.length > 0 || scope.parent === null ? own : rulesOf(scope.parent);
}
