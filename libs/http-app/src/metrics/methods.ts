/** Methods as label values: few, whatever clients send. */
import { itemAt } from '@sluice/base';

const labels = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'OTHER'];
const other = labels.length - 1;

/** As the reference does, methods in lower case count as what they mean. */
const numbers = new Map<string, number>();
for (const [number, label] of labels.slice(0, other).entries())
  numbers.set(label, number).set(label.toLowerCase(), number);

/** The number of a method's label. */
export function methodNumber(method: string): number {
  return numbers.get(method) ?? other;
}

/** The label of a number that {@link methodNumber} gave. */
export function methodLabel(number: number): string {
  return itemAt(labels, number);
}
