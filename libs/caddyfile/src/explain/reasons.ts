/** Explains why a directive runs after another directive. */
import type { ConfigValue } from '../http/config-value.ts';
import { orderedName } from '../http/ordered-name.ts';
import { sortableOf, type Sortable } from '../http/route-order.ts';

export interface OrderRules {
  readonly positions: ReadonlyMap<string, number>;
  /** Directives that the global option `order` moved. Each value is the text of the option. */
  readonly moved: ReadonlyMap<string, string>;
}

/** Returns the reason why `value` follows `before` in a sorted list. If `before` is `null`, returns the reason why `value` comes first. */
export function reasonFor(value: ConfigValue, before: ConfigValue | null, rules: OrderRules): string {
  const item = sortableOf(value, rules.positions);
  const moved = rules.moved.get(nameOf(value));
  const by = moved === undefined ? '' : `; set by the global option ${moved}`;
  if (before === null) return `first in the directive order${by}`;
  const other = sortableOf(before, rules.positions);
  if (item.position !== other.position) {
    const otherMoved = rules.moved.get(nameOf(before));
    const because = by === '' && otherMoved !== undefined ? `; set by the global option ${otherMoved}` : by;
    return `${value.directive} comes after ${before.directive} in the directive order${because}`;
  }
  if (item.sequence || other.sequence) return 'as written: several routes of one directive stay together';
  return item.reversed
    ? 'the most specific directive comes last here, so that it overwrites the others'
    : pathReason(other, item);
}

/** Returns the reason why `first` precedes `second`, if both use the same directive. */
function pathReason(first: Sortable, second: Sortable): string {
  if (first.path !== '' && second.path !== '') {
    if (first.path.length === second.path.length) {
      if (first.path === second.path) return 'as written: same path';
      return first.path.endsWith('*') === second.path.endsWith('*')
        ? `paths of equal length are sorted by name: ${first.path}, ${second.path}`
        : `the exact path ${first.path} is more specific than ${second.path}`;
    }
    return first.path.length > second.path.length
      ? `the path ${first.path} is longer, and therefore more specific than ${second.path}`
      : `the path ${first.path} without a wildcard is more specific than ${second.path}`;
  }
  if (first.matched && !second.matched) return 'no matcher; directives with a matcher come first';
  return 'as written: neither matcher is more specific (only single paths are compared)';
}

/** Returns the directive name that determines the sort order. */
function nameOf({ directive = '' }: ConfigValue): string {
  return orderedName(directive);
}
