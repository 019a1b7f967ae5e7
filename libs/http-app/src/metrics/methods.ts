/** HTTP methods as metric label values. The set is fixed, so clients can't create labels. */
import { itemAt } from '@sluice/base';

const labels = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'OTHER'];
const other = labels.length - 1;

/** As in Caddy, a lowercase method gets the same label as the uppercase method. */
const numbers = new Map<string, number>();
for (const [number, label] of labels.slice(0, other).entries())
  numbers.set(label, number).set(label.toLowerCase(), number);

/** Returns the index of a method in the fixed list of method labels. */
export function methodNumber(method: string): number {
  return numbers.get(method) ?? other;
}

/** Returns the label for an index from {@link methodNumber}. */
export function methodLabel(number: number): string {
  return itemAt(labels, number);
}
