/**
 * Converts a syntax tree to a JavaScript regular expression that V8's linear engine supports. The result uses no flags. Expands counted
 * repetitions where possible.
 */
import { numberAt } from '../collections/bounded.ts';
import { complement, type CharacterSet } from './character-set.ts';
import { hasGroup, isNullable, someNode, type Node, type Repetition } from './syntax.ts';

/**
 * Maximum growth of the source when counted repetitions are expanded, in characters. The linear engine's run time is proportional to the
 * source length. Longer patterns are left to re2js, which builds a finite automaton.
 */
const maxGrowth = 1000;

/** Highest UTF-16 code unit. Without the flag `u`, JavaScript matches individual code units. */
const lastUnit = 0xffff;

/**
 * Generates JavaScript source from a syntax tree, with or without capturing groups.
 *
 * The maximum source length is four times the pattern length, to allow for escapes and case folding, plus {@link maxGrowth}. Returns `null`
 * if the source would be longer.
 *
 * The source may be valid only for some strings; see {@link needsPlainText}.
 */
export function toSource(tree: Node, groups: boolean, pattern: string): string | null {
  const writer = new Writer(groups, pattern.length * 4 + maxGrowth);
  const source = writer.write(tree);
  return writer.isTooLong ? null : source;
}

/**
 * Reports whether the source of a pattern is valid only for strings without surrogates. This is the case if the pattern could match a
 * surrogate or the empty string inside a surrogate pair. The source omits class members beyond U+FFFF, because strings without surrogates
 * don't contain them.
 */
export function needsPlainText(tree: Node): boolean {
  return isNullable(tree) || someNode(tree, (node) => node.kind === 'characters' && (node.set.at(-1) ?? 0) >= 0xd800);
}

class Writer {
  isTooLong = false;
  readonly #groups: boolean;
  readonly #limit: number;

  constructor(groups: boolean, limit: number) {
    this.#groups = groups;
    this.#limit = limit;
  }

  write(node: Node): string {
    switch (node.kind) {
      case 'characters':
        return writeSet(node.set);
      case 'assertion':
        return node.source;
      case 'group':
        return `(${this.#groups ? '' : '?:'}${this.write(node.body)})`;
      case 'sequence':
        return this.#limited(node.items.map((item) => this.write(item)).join(''));
      case 'alternation':
        return this.#limited(`(?:${node.options.map((option) => this.write(option)).join('|')})`);
      case 'repetition':
        return this.#repetition(node);
    }
  }

  #repetition({ body, min, max, lazy }: Repetition): string {
    const inner = this.write(body);
    const unit = body.kind === 'characters' ? inner : `(?:${inner})`;
    const suffix = lazy ? '?' : '';
    if (max === Infinity && min <= 1) return `${unit}${min === 0 ? '*' : '+'}${suffix}`;
    if (min === 0 && max === 1) return `${unit}?${suffix}`;
    // A capturing group cannot be duplicated. The engine supports small repetition counts, and re2js runs all other patterns.
    if (this.#groups && hasGroup(body)) return `${unit}{${min},${max === Infinity ? '' : max}}${suffix}`;
    const copies = max === Infinity ? min : max;
    if (unit.length * copies > this.#limit) return this.#limited(unit.padEnd(this.#limit + 1));
    if (max === Infinity) return `${unit.repeat(min)}${unit}*${suffix}`;
    return unit.repeat(min) + `(?:${unit}`.repeat(max - min) + `)?${suffix}`.repeat(max - min);
  }

  /** Discards a source that is too long, so that expanding repetitions does not multiply its length. */
  #limited(text: string): string {
    if (text.length <= this.#limit) return text;
    this.isTooLong = true;
    return '';
  }
}

function writeSet(set: CharacterSet): string {
  const units = codeUnits(set);
  const [first, last] = units;
  if (first === undefined) return '[]';
  if (units.length === 2 && first === last) return writeUnit(first);
  if (first === 0 && units.at(-1) === lastUnit) return `[^${writeRanges(codeUnits(complement(set)))}]`;
  return `[${writeRanges(units)}]`;
}

/** Returns the members of a set that are single code units. */
function codeUnits(set: CharacterSet): number[] {
  const units: number[] = [];
  for (let i = 0; i < set.length && numberAt(set, i) <= lastUnit; i += 2) {
    units.push(numberAt(set, i), Math.min(numberAt(set, i + 1), lastUnit));
  }
  return units;
}

function writeRanges(units: readonly number[]): string {
  let text = '';
  for (let i = 0; i < units.length; i += 2) {
    text += writeUnit(numberAt(units, i));
    if (units[i] !== units[i + 1]) text += `-${writeUnit(numberAt(units, i + 1))}`;
  }
  return text;
}

function writeUnit(unit: number): string {
  const character = String.fromCharCode(unit);
  if (/[\w ]/.test(character)) return character;
  return unit > 0x20 && unit < 0x7f ? `\\${character}` : `\\u${unit.toString(16).padStart(4, '0')}`;
}
