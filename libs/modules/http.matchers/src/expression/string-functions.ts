/**
 * String methods that Caddy supports beyond standard CEL. They replace library methods that behave differently. Positions count code
 * points, and a negative count means no limit.
 */
import { celMethod, CelScalar, listType, type CelFunc } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { formatText } from './format.ts';

const { DYN, INT, STRING } = CelScalar;

const own: readonly CelFunc[] = [
  celMethod('charAt', STRING, [INT], STRING, function charAt(index) {
    const points = [...this];
    return points[position('charAt', index, points.length)] ?? '';
  }),
  celMethod('indexOf', STRING, [STRING], INT, function indexOf(part) {
    return BigInt(findFirst([...this], [...part], 0));
  }),
  celMethod('indexOf', STRING, [STRING, INT], INT, function indexOf(part, from) {
    return BigInt(findFirst([...this], [...part], offset('indexOf', from)));
  }),
  celMethod('lastIndexOf', STRING, [STRING], INT, function lastIndexOf(part) {
    const points = [...this];
    return BigInt(findLast(points, [...part], points.length));
  }),
  celMethod('lastIndexOf', STRING, [STRING, INT], INT, function lastIndexOf(part, from) {
    const [points, wanted] = [[...this], [...part]];
    const at = offset('lastIndexOf', from);
    return BigInt(at >= points.length && wanted.length > 0 ? -1 : findLast(points, wanted, at));
  }),
  celMethod('replace', STRING, [STRING, STRING], STRING, function replace(part, other) {
    return this.replaceAll(part === '' ? /(?:)/gu : part, () => other);
  }),
  celMethod('replace', STRING, [STRING, STRING, INT], STRING, function replace(part, other, count) {
    let left = count < 0n ? Infinity : Number(count);
    return this.replaceAll(part === '' ? /(?:)/gu : part, (whole) => (left-- > 0 ? other : whole));
  }),
  celMethod('split', STRING, [STRING], listType(STRING), function split(separator) {
    return pieces(this, separator);
  }),
  celMethod('split', STRING, [STRING, INT], listType(STRING), function split(separator, count) {
    if (count === 0n) return [];
    const all = pieces(this, separator);
    const max = Number(count);
    return count < 0n || all.length <= max ? all : [...all.slice(0, max - 1), all.slice(max - 1).join(separator)];
  }),
  celMethod('substring', STRING, [INT], STRING, function substring(start) {
    const points = [...this];
    return points.slice(position('substring', start, points.length)).join('');
  }),
  celMethod('substring', STRING, [INT, INT], STRING, function substring(start, end) {
    const points = [...this];
    const [from, to] = [position('substring', start, points.length), position('substring', end, points.length)];
    if (from > to) throw new Error(`substring(${from}, ${to}): the start index is greater than the end index`);
    return points.slice(from, to).join('');
  }),
  celMethod('reverse', STRING, [], STRING, function reverse() {
    return [...this].toReversed().join('');
  }),
  celMethod('format', STRING, [listType(DYN)], STRING, function format(values) {
    return formatText(this, [...values]);
  }),
];

const names = new Set(own.map(({ name }) => name));

/** All string methods that expressions support, and `strings.quote`. */
export const stringFunctions: readonly CelFunc[] = [...strings.filter(({ name }) => !names.has(name)), ...own];

/** Converts a position in a string. Throws if the position is negative or past the end of the string. */
function position(name: string, index: bigint, length: number): number {
  if (index < 0n || index > BigInt(length))
    throw new Error(`${name}: index ${index} is outside the range 0 to ${length}`);
  return Number(index);
}

/** Converts a start offset. Throws if the offset is negative. An offset past the end of the string is valid. */
function offset(name: string, index: bigint): number {
  if (index < 0n) throw new Error(`${name}: index ${index} is negative`);
  return Number(index);
}

function findFirst(points: readonly string[], part: readonly string[], from: number): number {
  if (part.length === 0) return Math.min(from, points.length);
  for (let at = from; at + part.length <= points.length; at++) if (isAt(points, part, at)) return at;
  return -1;
}

function findLast(points: readonly string[], part: readonly string[], from: number): number {
  for (let at = Math.min(from, points.length - part.length); at >= 0; at--) if (isAt(points, part, at)) return at;
  return -1;
}

function isAt(points: readonly string[], part: readonly string[], at: number): boolean {
  return part.every((point, index) => points[at + index] === point);
}

function pieces(text: string, separator: string): string[] {
  return separator === '' ? [...text] : text.split(separator);
}
