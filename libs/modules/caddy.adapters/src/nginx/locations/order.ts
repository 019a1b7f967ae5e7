/**
 * Translates nginx's location selection to a list in which the first match applies. The order is: exact paths, prefixes with `^~`, regular
 * expressions in source order, longest prefix.
 */
import type { Node } from '../json.ts';
import { literal } from '../text/regular-expression.ts';
import type { Location } from '../location-path.ts';

/** A location and the conditions under which it applies if no earlier entry in the list matched. */
export interface Choice {
  readonly location: Location;
  /** True if the path equals the location's path except for the trailing slash. nginx redirects such requests. */
  readonly slashMissing: boolean;
  readonly match: Node | null;
}

/** A regular expression that must match the path, or must not match it. */
interface Condition {
  readonly pattern: string;
  /** Path pattern for the route index. It covers all paths that can match, ignoring case. */
  readonly key?: string;
  readonly not?: boolean;
  /** Regular expressions that must not match the path. */
  readonly except?: readonly string[];
  /** Name under which the captures are available. */
  readonly name?: string;
}

interface Candidate {
  readonly location: Location;
  readonly slashMissing?: boolean;
  readonly conditions: readonly Condition[];
}

/**
 * Locations of one nesting level. `final` entries end the search. `tentative` entries apply only if no regular expression of an outer block
 * matches.
 */
interface Level {
  readonly final: readonly Candidate[];
  readonly tentative: readonly Candidate[];
}

/** Returns the locations of a server in the order in which they are evaluated. */
export function orderLocations(locations: readonly Location[]): Choice[] {
  const { final, tentative } = orderLevel(locations, false);
  return [...final, ...tentative].map(({ location, conditions, slashMissing = false }) => ({
    location,
    slashMissing,
    match: matchOf(conditions),
  }));
}

function orderLevel(locations: readonly Location[], nested: boolean): Level {
  const exact = locations.filter(({ path }) => path.kind === 'exact');
  const prefixes = locations
    .filter(({ path }) => path.kind === 'prefix' || path.kind === 'preferred')
    .sort((a, b) => b.path.text.length - a.path.text.length);
  const final: Candidate[] = exact.map((location) => ({
    location,
    conditions: [exactly(location.path.text)],
  }));
  const tentative: Candidate[] = [];
  const plain = [...exact, ...prefixes];
  for (const location of plain) {
    const { text } = location.path;
    if (text === '/' || !text.endsWith('/') || !location.scope.directives.some(({ name }) => name.endsWith('_pass')))
      continue;
    if (plain.some((other) => `${other.path.text}/` === text)) continue;
    // If there is both an exact location and a prefix, the response headers of the exact location apply.
    const responsible = exact.find(({ path }) => path.text === text) ?? location;
    final.push({ location: responsible, conditions: [exactly(text.slice(0, -1))], slashMissing: true });
  }
  for (const location of prefixes) {
    const inner = orderLevel(location.inner, true);
    const longer = longerThan(location, prefixes);
    // Final entries that are nested in the longest prefix precede the regular expressions outside of it.
    final.push(...under(inner.final, conditionsOf(location, longer)));
    // Longer prefixes come earlier in the list, so this prefix does not need to exclude them.
    const own = conditionsOf(location, []);
    if (location.path.kind !== 'preferred' || nested)
      tentative.push(...under(inner.tentative, own), { location, conditions: own });
    else {
      const here = conditionsOf(
        location,
        longer.filter(({ path }) => path.kind !== 'preferred'),
      );
      final.push(...under(inner.tentative, here), { location, conditions: here });
    }
  }
  for (const location of locations.filter(({ path }) => path.kind === 'regex')) {
    const inner = orderLevel(location.inner, true);
    const own = {
      pattern: location.path.text,
      ...(location.captures === null ? {} : { name: location.captures }),
      ...keyOf(location.path.text),
    };
    const here = [own, ...(location.path.requirements ?? []), ...(nested ? shieldsOf(prefixes) : [])];
    final.push(...under([...inner.final, ...inner.tentative], here), { location, conditions: here });
  }
  return { final, tentative };
}

function under(candidates: readonly Candidate[], outer: readonly Condition[]): Candidate[] {
  return candidates.map((candidate) => ({ ...candidate, conditions: [...candidate.conditions, ...outer] }));
}

/** Returns conditions to check that the longest matching prefix does not have `^~`. */
function shieldsOf(prefixes: readonly Location[]): Condition[] {
  return prefixes
    .filter(({ path }) => path.kind === 'preferred')
    .map((location) => ({
      pattern: beginning(location),
      not: true,
      except: longerThan(location, prefixes).map(beginning),
    }));
}

function exactly(text: string): Condition {
  return { pattern: `^${literal(text)}$`, ...(isPlain(text) ? { key: text } : {}) };
}

/** Reports whether the `path` matcher would treat a path as a literal. */
function isPlain(text: string): boolean {
  return /^(?:\/[\w.-]*)+$/.test(text) && !text.includes('//');
}

/** Returns the literal path prefix of a regular expression, if there is one: `/a/*` for `^/a/(\\d+)$`. */
function keyOf(pattern: string): { readonly key?: string } {
  // After groups are removed, the expression must contain no alternatives (`|`). Otherwise, only the first alternative would have the
  // prefix.
  const outside = pattern
    .replaceAll(/\\./g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\([^()]*\)/g, '');
  if (/[|()[\]]/.test(outside)) return {};
  const [, text = ''] = /^\^((?:[\w/-]|\\[.-])+)(?![?*+{])/.exec(pattern) ?? [];
  const plain = text.replaceAll('\\', '');
  return plain.length > 1 && isPlain(plain) ? { key: `${plain}*` } : {};
}

function beginning({ path }: Location): string {
  return `^${literal(path.text)}`;
}

function longerThan({ path: { text } }: Location, prefixes: readonly Location[]): Location[] {
  return prefixes.filter(({ path }) => path.text.length > text.length && path.text.startsWith(text));
}

/** Returns conditions to check that the path has this prefix, but none of the longer ones. */
function conditionsOf(location: Location, longer: readonly Location[]): Condition[] {
  const { text } = location.path;
  const key = isPlain(text) ? { key: `${text}*` } : {};
  const own = text === '/' ? [] : [{ pattern: beginning(location), ...key }];
  return [...own, ...longer.map((other) => ({ pattern: beginning(other), not: true }))];
}

/** Returns a single matcher set. The regular expression with captures is a separate matcher, and exclusions use `not`. */
function matchOf(conditions: readonly Condition[]): Node | null {
  const positive = conditions.filter(({ not }) => not !== true);
  const main = positive.find(({ name }) => name !== undefined) ?? positive[0];
  const others = unique(
    conditions
      .filter((condition) => condition !== main && (condition.not === true || condition.pattern !== main?.pattern))
      .map((condition) => (condition.not === true ? pathNode(condition) : { not: [pathNode(condition)] })),
  );
  if (main === undefined && others.length === 0) return null;
  const key = main?.key === undefined ? {} : { path: [main.key] };
  return { ...key, ...(main === undefined ? {} : pathNode(main)), ...(others.length === 0 ? {} : { not: others }) };
}

function unique(nodes: readonly Node[]): Node[] {
  return [...new Map(nodes.map((node) => [JSON.stringify(node), node])).values()];
}

function pathNode({ pattern, name, except = [] }: Condition): Node {
  const not = except.length === 0 ? {} : { not: except.map((longer) => ({ path_regexp: { pattern: longer } })) };
  return { path_regexp: name === undefined ? { pattern } : { name, pattern }, ...not };
}
