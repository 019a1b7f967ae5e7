/** Translates `allow` and `deny`, which control access by client address. The first matching rule applies. */
import { node, type Node } from '../json.ts';
import { problemAt } from '../problem.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { argument, type Directive } from '../syntax/directive.ts';

export type Verdict = 'allow' | 'deny';

/** Returns matcher sets for the clients whose first matching rule has the given verdict. Clients that match no rule are never included. */
export function setsOf(site: Site, scope: Scope, verdict: Verdict): Node[] {
  const sets: Node[] = [];
  const before: string[] = [];
  for (const directive of rulesOf(scope)) {
    const who = argument(directive, 0, 'an address, a range or all');
    if (who === 'unix:') {
      const listens = site.scope.directives.some(({ name, args }) => name === 'listen' && args[0]?.startsWith('unix:'));
      if (listens && directive.name === 'deny')
        throw problemAt(directive, 'deny unix: is not supported; clients on the Unix socket would be allowed');
      site.adaptation.warn(directive, `${directive.name} unix: is not supported and is ignored`);
      continue;
    }
    if (who !== 'all' && !/^[\da-fA-F.:]+(?:\/\d{1,3})?$/.test(who))
      throw problemAt(
        directive,
        `expected an address, a range or all after ${directive.name}, not ${JSON.stringify(who)}`,
      );
    if (directive.name === verdict) sets.push(setOf(who, before));
    else if (who !== 'all') before.push(who);
    if (who === 'all') break;
  }
  return sets;
}

/** Returns a matcher for the clients of a rule. Excludes clients for which an earlier rule has the opposite verdict. */
function setOf(who: string, before: readonly string[]): Node {
  return node({
    client_ip: who === 'all' ? undefined : { ranges: [who] },
    not: before.length === 0 ? undefined : [{ client_ip: { ranges: [...before] } }],
  });
}

/** Returns the rules that apply in a block. A block with rules of its own does not inherit any. */
function rulesOf(scope: Scope): readonly Directive[] {
  const own = scope.directives.filter(({ name }) => name === 'allow' || name === 'deny');
  return own.length > 0 || scope.parent === null ? own : rulesOf(scope.parent);
}
