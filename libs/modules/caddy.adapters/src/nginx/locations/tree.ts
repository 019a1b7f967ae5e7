/** Parses the location blocks of a server, which can be nested. */
import { problemAt } from '../problem.ts';
import { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { argument, type Directive } from '../syntax/directive.ts';
import { expressionOf, groupNames } from '../text/regular-expression.ts';
import type { Location, LocationKind, LocationPath } from '../location-path.ts';

const signs: Readonly<Record<string, LocationKind>> = { '=': 'exact', '^~': 'preferred', '~': 'regex', '~*': 'regex' };

/** Returns the locations in a block. */
export function readLocations(site: Site, scope: Scope, outer: Location | null = null): Location[] {
  const seen = new Map<string, Directive>();
  return scope.own('location').map((directive) => {
    const path = readPath(directive);
    checkPlace(directive, path, outer);
    const key = `${path.kind === 'preferred' ? 'prefix' : path.kind} ${path.text}`;
    const before = path.kind === 'regex' ? undefined : seen.get(key);
    if (before !== undefined)
      throw problemAt(directive, `duplicate location ${path.text}; it is already defined on line ${before.line}`);
    seen.set(key, directive);
    const inside = new Scope('location', directive.block ?? [], scope);
    const captures = path.kind === 'regex' ? site.unique('location') : null;
    inside.captures = captures ?? scope.captures;
    inside.path = path;
    if (captures !== null)
      for (const group of groupNames(path.text)) site.groups.set(group, `{http.regexp.${captures}.${group}}`);
    const location = { path, directive, scope: inside, captures };
    return { ...location, inner: readLocations(site, inside, { ...location, inner: [] }) };
  });
}

function readPath(directive: Directive): LocationPath {
  const first = argument(directive, 0, 'a path');
  const [, glued, rest] = /^(=|\^~|~\*|~)(.+)$/s.exec(first) ?? [];
  const sign = Object.hasOwn(signs, first) ? first : glued;
  const kind = sign === undefined ? undefined : signs[sign];
  if (kind === undefined) return { kind: first.startsWith('@') ? 'named' : 'prefix', text: first };
  const text = sign === first ? argument(directive, 1, `a path after ${sign}`) : (rest ?? '');
  if (kind !== 'regex') return { kind, text };
  const { pattern, requirements } = expressionOf(directive, text, { insensitive: sign === '~*' });
  return { kind, text: pattern, requirements };
}

/** Rejects unreachable locations, as nginx does. */
function checkPlace(directive: Directive, path: LocationPath, outer: Location | null): void {
  if (outer === null) return;
  const where = `location ${outer.path.text}`;
  if (path.kind === 'named')
    throw problemAt(directive, `named location ${path.text} is only allowed in a server, not in ${where}`);
  if (outer.path.kind === 'exact' || outer.path.kind === 'named')
    throw problemAt(directive, `a location is not allowed in the exact or named ${where}`);
  const outside = path.kind !== 'regex' && outer.path.kind !== 'regex' && !path.text.startsWith(outer.path.text);
  if (outside) throw problemAt(directive, `location ${path.text} is outside its enclosing ${where}`);
}
