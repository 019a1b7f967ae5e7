/** Methods as label values: a fixed set, whatever clients send. */
import { itemAt } from '@sluice/base';

const labels = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'OTHER'];
const other = labels.length - 1;

/** As in Caddy, lowercase methods count as uppercase. */
const numbers = new Map<string, number>();
for (const [number, label] of labels.slice(0, other).entries())
  numbers.set(label, number).set(label.toLowerCase(), number);

/** Returns the index of a method label. */
export function methodNumber(method: string): number {
  return numbers.get(method) ?? other;
}

/** Returns the label for a number from {@link methodNumber}. */
export function methodLabel(number: number): string {
  return itemAt(labels, number);
}
