/** Computes the order of directives from the positions that they request. */
import { errorAt } from '../errors.ts';
import type { CaddyfileToken } from '../token.ts';
import type { DirectiveOrder } from './order-hint.ts';

/** A directive and the position that it requests. */
export interface OrderedDirective {
  readonly name: string;
  readonly order?: DirectiveOrder;
}

/** Returns the names of directives in order. Omits directives whose position refers to an unknown directive. */
export function orderDirectives(all: Iterable<OrderedDirective>): string[] {
  const order: string[] = [];
  let waiting = [...all].filter((each) => each.order !== undefined);
  for (let before = -1; before !== waiting.length;) {
    before = waiting.length;
    waiting = waiting.filter(({ name, order: hint }) => !place(order, name, hint as DirectiveOrder));
  }
  return order;
}

/** Moves a directive to its requested position. Returns false if the adjacent directive is not in the list. */
function place(order: string[], name: string, hint: DirectiveOrder): boolean {
  if (typeof hint === 'object') {
    const neighbour = 'before' in hint ? hint.before : hint.after;
    if (neighbour === name || !order.includes(neighbour)) return false;
  }
  const old = order.indexOf(name);
  if (old >= 0) order.splice(old, 1);
  if (hint === 'first') order.unshift(name);
  else if (hint === 'last') order.push(name);
  else if ('before' in hint) order.splice(order.indexOf(hint.before), 0, name);
  else order.splice(order.indexOf(hint.after) + 1, 0, name);
  return true;
}

/** Value of the global option `order`: a directive and its new position. */
export interface OrderChange {
  readonly name: string;
  readonly position: string;
  readonly neighbour: string;
  readonly token: CaddyfileToken;
}

/** Applies the global option `order` to a list of directives. `known` reports whether a directive exists. */
export function changeOrder(order: string[], change: OrderChange, known: (name: string) => boolean): void {
  const { name, position, neighbour, token } = change;
  if (!known(name)) throw errorAt(token, `${name} is not a registered directive`);
  const hint: DirectiveOrder =
    position === 'first' || position === 'last'
      ? position
      : position === 'before'
        ? { before: neighbour }
        : { after: neighbour };
  if (!place(order, name, hint)) throw errorAt(token, `directive '${neighbour}' not found`);
}
