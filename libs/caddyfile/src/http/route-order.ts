/**
 * Sorts routes by directive, and then by the specificity of the matcher's path. Longer paths come first. The length of a path is in bytes
 * and excludes the wildcard. Paths of equal length are sorted alphabetically.
 */
import { isArray, type Json } from '@sluice/base';
import { isSequence, type ConfigValue, type RouteConfig, type RouteSequence } from './config-value.ts';
import { orderedName } from './ordered-name.ts';
import { stableSort } from './stable-sort.ts';

const { byteLength } = Buffer;

export interface Sortable {
  readonly value: ConfigValue;
  readonly position: number;
  readonly reversed: boolean;
  /** True if the value consists of several routes of a single directive. These routes keep their order. */
  readonly sequence: boolean;
  readonly matched: boolean;
  /** Path of the matcher, if the matcher consists of exactly one path. Otherwise empty. */
  readonly path: string;
}

/** Sorts values of the kind `route`. The sort is stable. */
export function sortRoutes(values: readonly ConfigValue[], order: ReadonlyMap<string, number>): ConfigValue[] {
  const sortable = values.map((value) => sortableOf(value, order));
  return stableSort(sortable, isBefore).map(({ value }) => value);
}

export function sortableOf(value: ConfigValue, order: ReadonlyMap<string, number>): Sortable {
  const name = orderedName(value.directive ?? '');
  const match = matchOf(value.value as RouteConfig | RouteSequence);
  return {
    value,
    position: order.get(name) ?? 0,
    reversed: name === 'vars',
    sequence: isSequence(value.value as RouteConfig | RouteSequence),
    matched: match.length > 0,
    path: onePath(match),
  };
}

function matchOf(value: RouteConfig | RouteSequence): readonly Json[] {
  return isSequence(value) ? [] : (value.match ?? []);
}

function onePath(match: readonly Json[]): string {
  if (match.length !== 1) return '';
  const { path } = match[0] as { readonly path?: Json };
  const first = isArray(path) && path.length === 1 ? path[0] : '';
  return typeof first === 'string' ? first : '';
}

function isBefore(a: Sortable, b: Sortable): boolean {
  if (a.position !== b.position) return a.position < b.position;
  if (a.sequence || b.sequence) return false;
  // A later `vars` handler overwrites the variables of an earlier `vars` handler. Put the handler with the most specific matcher last.
  return a.reversed ? moreSpecific(b, a) : moreSpecific(a, b);
}

function moreSpecific(a: Sortable, b: Sortable): boolean {
  if (a.path === '' || b.path === '') return a.matched && !b.matched;
  if (withoutWildcard(a.path) === withoutWildcard(b.path)) return a.path.length < b.path.length;
  const [first, second] = [byteLength(withoutWildcard(a.path)), byteLength(withoutWildcard(b.path))];
  return first === second ? Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)) < 0 : first > second;
}

function withoutWildcard(path: string): string {
  return path.endsWith('*') ? path.slice(0, -1) : path;
}
