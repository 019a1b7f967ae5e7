/**
 * nginx's choice among locations, as a list in which the first one that matches is it: exact paths, then beginnings that
 * keep expressions away (`^~`), expressions in their order, and the longest beginning.
 */
import type { Node } from '../json.ts';
import { literal } from '../text/regular-expression.ts';
import type { Location } from '../location-path.ts';

/** A location with what must be true for it, beside that none before it was. */
export interface Choice {
  readonly location: Location;
  /** The path is that of the location but for the slash at its end, to which nginx redirects. */
  readonly slashMissing: boolean;
  readonly match: Node | null;
}

/** A condition: an expression that the path matches, or must not. */
interface Condition {
  readonly pattern: string;
  /** What all paths of the expression are like, in either case: lists find routes by that. */
  readonly key?: string;
  readonly not?: boolean;
  /** Expressions that the path does not match together with this one. */
  readonly except?: readonly string[];
  /** Name of the captures. */
  readonly name?: string;
}

interface Candidate {
  readonly location: Location;
  readonly slashMissing?: boolean;
  readonly conditions: readonly Condition[];
}

/** What was found in a level: `final` ends the search, `tentative` is what is left where no expression outside matches. */
interface Level {
  readonly final: readonly Candidate[];
  readonly tentative: readonly Candidate[];
}

/** The locations of a server in the order in which they are to be tried. */
export function orderLocations(locations: readonly Location[]): Choice[] {
  const { final, tentative } = orderLevel(locations, false);
  return [...final, ...tentative].map(({ location, conditions, slashMissing = false }) => ({
    location,
    slashMissing,
    match: matchOf(conditions),
  }));
}

/**
 * Orders one level. Out at the server a beginning with `^~` comes before the expressions. Within another location it keeps
 * only the expressions beside it away, while those further out still count: it is the expressions that get a condition.
 */
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
    // The fields are those of the exact location, if there are both.
    const responsible = exact.find(({ path }) => path.text === text) ?? location;
    final.push({ location: responsible, conditions: [exactly(text.slice(0, -1))], slashMissing: true });
  }
  for (const location of prefixes) {
    const inner = orderLevel(location.inner, true);
    const longer = longerThan(location, prefixes);
    // Within the longest beginning: what is final there comes before the expressions out here.
    final.push(...under(inner.final, conditionsOf(location, longer)));
    // Longer beginnings stand before this one in the same list, so they need not be ruled out.
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

/** That no beginning with `^~` is the longest one that matches. */
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

/** Whether a path means itself to the matcher `path`. */
function isPlain(text: string): boolean {
  return /^(?:\/[\w.-]*)+$/.test(text) && !text.includes('//');
}

/** The fixed text that paths of an expression begin with, if it says so: `/a/*` for `^/a/(\\d+)$`. */
function keyOf(pattern: string): { readonly key?: string } {
  // Without its groups: what is left must have no alternatives, of which only the first would begin so.
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

/** That the path begins so, and with none of the longer beginnings. */
function conditionsOf(location: Location, longer: readonly Location[]): Condition[] {
  const { text } = location.path;
  const key = isPlain(text) ? { key: `${text}*` } : {};
  const own = text === '/' ? [] : [{ pattern: beginning(location), ...key }];
  return [...own, ...longer.map((other) => ({ pattern: beginning(other), not: true }))];
}

/** One matcher set: the expression with captures is a matcher of its own, the others are what is not the case. */
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
