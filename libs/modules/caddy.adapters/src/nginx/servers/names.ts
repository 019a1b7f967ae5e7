/** Translates `server_name`, which lists the host names of a server, in nginx's order of precedence. */
import type { Node } from '../json.ts';
import type { Site } from '../site.ts';
import { argument } from '../syntax/directive.ts';
import { expressionMatcher, expressionOf, groupNames, literal, type Expression } from '../text/regular-expression.ts';

/** A host matcher and its precedence. Exact names come first, followed by wildcards (longest first) and regular expressions. */
export interface NameMatch {
  readonly rank: number;
  readonly length: number;
  readonly match: Node;
}

const host = '{http.request.host}';

/** Returns the host matchers for a server. Requests with an unknown host go to the default server. */
export function nameMatches(site: Site): NameMatch[] {
  const names = site.scope
    .own('server_name')
    .flatMap((directive) => directive.args.map((name) => ({ name, directive })));
  const exact: string[] = [];
  const matches: NameMatch[] = [];
  for (const { name, directive } of names) {
    if (name.startsWith('~'))
      matches.push({
        rank: 3,
        length: 0,
        match: expression(site, expressionOf(directive, name.slice(1), { insensitive: true })),
      });
    else if (name.startsWith('*.')) matches.push(wildcard(name.slice(1), 1, `^.+${literal(name.slice(1))}$`));
    else if (name.endsWith('.*')) matches.push(wildcard(name, 2, `^${literal(name.slice(0, -1))}.+$`));
    else if (name.startsWith('.')) {
      exact.push(name.slice(1));
      matches.push(wildcard(name, 1, `^.+${literal(name)}$`));
    } else exact.push(name.replace(/\.$/, ''));
    argument(directive, 0, 'a name');
  }
  if (names.length === 0) exact.push('');
  return [...exactMatches(exact), ...matches];
}

/** Returns matchers for exact names. The name `""` matches requests without a host. */
function exactMatches(names: readonly string[]): NameMatch[] {
  const hosts = names.filter((name) => name !== '' && !name.startsWith('$'));
  const sets: Node[] = [];
  if (hosts.length > 0) sets.push({ host: hosts.flatMap((name) => [name, `${name}.`]) });
  if (names.includes('')) sets.push({ vars: { [host]: [''] } });
  return sets.map((match) => ({ rank: 0, length: 0, match }));
}

function wildcard(name: string, rank: number, pattern: string): NameMatch {
  return { rank, length: name.length, match: { vars_regexp: { [host]: { pattern: `(?i)${pattern}` } } } };
}

function expression(site: Site, translated: Expression): Node {
  const { pattern } = translated;
  const name = site.unique('name');
  for (const group of groupNames(pattern)) site.groups.set(group, `{http.regexp.${name}.${group}}`);
  if (/\((?!\?:)/.test(pattern)) site.scope.captures = name;
  return expressionMatcher(translated, name, (each) => ({ vars_regexp: { [host]: each } }));
}
