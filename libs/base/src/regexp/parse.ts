/**
 * Parser for RE2 syntax. re2js has already validated the pattern, so this parser does not check for errors. It returns `null` for:
 *
 * - Patterns that require the JavaScript flags `u`, `m`, or `i`, which the linear engine does not support. These are
 *   Unicode classes, multiline `^` and `$`, and case folding beyond ASCII.
 * - `^` after another item. Such an anchor can never match, but V8 14.6 handles it incorrectly: `/(?:|[^]*?[^]^)$/` finds
 *   no match.
 * - Long sequences of alternatives, because V8 takes a long time to compile them.
 */
import { itemAt } from '../collections/bounded.ts';
import {
  anyCharacter,
  complement,
  foldAscii,
  isBelow,
  perlClasses,
  posixClasses,
  setOf,
  type CharacterSet,
} from './character-set.ts';
import { beginsAtStart, choicesOf, type Node } from './syntax.ts';

/** Parses a valid pattern. Returns `null` if the pattern requires re2js. */
export function parsePattern(pattern: string): Node | null {
  try {
    return new Parser(pattern).parse();
  } catch (error) {
    if (error === untranslatable) return null;
    throw error;
  }
}

/** Maximum number of consecutive choices in a pattern. V8 compiles this many choices in at most 20 ms. */
const maxChoices = 12;

const untranslatable = new Error('not supported in JavaScript');

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly U: boolean;
}

const controls: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };
const newline: CharacterSet = [10, 10];
const sticky = {
  flags: /\?([imsU]*)(?:-([imsU]+))?([:)])/y,
  groupName: /\?P?<[^>]*>/y,
  counts: /\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/y,
  hex: /x(?:\{([\da-fA-F]+)\}|([\da-fA-F]{2}))/y,
  octal: /[0-7]{1,3}/y,
  posix: /\[:(\^?)(\w+):\]/y,
};

class Parser {
  readonly #pattern: string;
  #at = 0;
  #flags: Flags = { i: false, m: false, s: false, U: false };

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  parse(): Node {
    const node = this.#alternation();
    if (this.#at < this.#pattern.length || !beginsAtStart(node) || choicesOf(node) > maxChoices) throw untranslatable;
    return node;
  }

  #alternation(): Node {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 ? itemAt(options, 0) : { kind: 'alternation', options };
  }

  #sequence(): Node {
    const items: Node[] = [];
    for (;;) {
      const next = this.#pattern[this.#at];
      if (next === undefined || next === '|' || next === ')') break;
      this.#item(items, next);
    }
    return items.length === 1 ? itemAt(items, 0) : { kind: 'sequence', items };
  }

  /** Parses one item or a repetition operator that applies to the previous item. */
  #item(items: Node[], next: string): void {
    if (next === '(') return this.#group(items);
    if (next === '[') return void items.push(this.#class());
    if (next === '\\') return this.#escape(items);
    const counts = this.#counts(next);
    if (counts !== null) return this.#repeat(items, counts[0], counts[1]);
    if (next === '.' || next === '^' || next === '$') {
      this.#at++;
      items.push(next === '.' ? characters(this.#flags.s ? anyCharacter : complement(newline)) : this.#edge(next));
    } else this.#literal(items, this.#codePoint());
  }

  #edge(source: '^' | '$'): Node {
    if (this.#flags.m) throw untranslatable;
    return { kind: 'assertion', source };
  }

  #counts(next: string): readonly [number, number] | null {
    if (next === '{') {
      const match = this.#match(sticky.counts);
      if (match === null) return null;
      const [, min, comma, max] = match;
      return [Number(min), comma === undefined ? Number(min) : max === undefined ? Infinity : Number(max)];
    }
    if (next !== '*' && next !== '+' && next !== '?') return null;
    this.#at++;
    return [next === '+' ? 1 : 0, next === '?' ? 1 : Infinity];
  }

  #repeat(items: Node[], min: number, max: number): void {
    const body = items.pop();
    if (body === undefined) throw untranslatable;
    const lazy = this.#take('?') !== this.#flags.U;
    items.push({ kind: 'repetition', body, min, max, lazy });
  }

  #group(items: Node[]): void {
    this.#at++;
    const outer = this.#flags;
    const flags = this.#match(sticky.flags);
    if (flags !== null) {
      this.#setFlags(flags[1] ?? '', flags[2] ?? '');
      if (flags[3] === ')') return;
      items.push(this.#body());
    } else {
      this.#match(sticky.groupName);
      items.push({ kind: 'group', body: this.#body() });
    }
    this.#flags = outer;
  }

  #body(): Node {
    const body = this.#alternation();
    if (!this.#take(')')) throw untranslatable;
    return body;
  }

  #setFlags(on: string, off: string): void {
    const flags: Record<string, boolean> = { ...this.#flags };
    for (const flag of on) flags[flag] = true;
    for (const flag of off) flags[flag] = false;
    this.#flags = flags as unknown as Flags;
  }

  #escape(items: Node[]): void {
    const next = this.#pattern[this.#at + 1] ?? '';
    if (/[AzbB]/.test(next)) {
      this.#at += 2;
      const source = next === 'A' ? '^' : next === 'z' ? '$' : next === 'b' ? '\\b' : '\\B';
      items.push({ kind: 'assertion', source });
    } else if (next === 'Q') {
      this.#quotation(items);
    } else {
      const set = this.#perlClass();
      if (set !== null) items.push(characters(set));
      else this.#literal(items, this.#character());
    }
  }

  #quotation(items: Node[]): void {
    const end = this.#pattern.indexOf('\\E', this.#at + 2);
    const text = this.#pattern.slice(this.#at + 2, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#pattern.length : end + 2;
    for (const character of text) this.#literal(items, character.codePointAt(0) as number);
  }

  #literal(items: Node[], code: number): void {
    items.push(characters(this.#folded([code, code])));
  }

  /** Parses a class such as `\d`. Returns `null` if the next escape is not a class. */
  #perlClass(): CharacterSet | null {
    const name = this.#pattern[this.#at] === '\\' ? (this.#pattern[this.#at + 1] ?? '') : '';
    if (name === 'p' || name === 'P') throw untranslatable;
    const set = perlClasses.get(name.toLowerCase());
    if (set === undefined) return null;
    this.#at += 2;
    const folded = this.#folded(set);
    return name === name.toLowerCase() ? folded : complement(folded);
  }

  /** Parses a literal or escaped character. */
  #character(): number {
    if (!this.#take('\\')) return this.#codePoint();
    const next = this.#pattern.charAt(this.#at);
    const control = Object.hasOwn(controls, next) ? controls[next] : undefined;
    if (control !== undefined) {
      this.#at++;
      return control;
    }
    const hex = this.#match(sticky.hex);
    if (hex !== null) return Number.parseInt(hex[1] ?? hex[2] ?? '', 16);
    const octal = this.#match(sticky.octal);
    if (octal !== null) return Number.parseInt(octal[0], 8);
    if (/[0-9A-Za-z]/.test(next)) throw untranslatable;
    return this.#codePoint();
  }

  #class(): Node {
    this.#at++;
    const negated = this.#take('^');
    const bounds: number[] = [];
    for (let first = true; first || this.#pattern[this.#at] !== ']'; first = false) {
      const set = this.#posixClass() ?? this.#perlClass() ?? this.#folded(this.#range());
      for (const bound of set) bounds.push(bound);
    }
    this.#at++;
    const set = setOf(bounds);
    return characters(negated ? complement(set) : set);
  }

  #posixClass(): CharacterSet | null {
    const match = this.#match(sticky.posix);
    if (match === null) return null;
    const set = posixClasses.get(match[2] ?? '');
    if (set === undefined) throw untranslatable;
    const folded = this.#folded(set);
    return match[1] === '^' ? complement(folded) : folded;
  }

  #range(): CharacterSet {
    const first = this.#character();
    const next = this.#pattern[this.#at + 1];
    if (this.#pattern[this.#at] !== '-' || next === ']' || next === undefined) return [first, first];
    this.#at++;
    return [first, this.#character()];
  }

  #folded(set: CharacterSet): CharacterSet {
    if (!this.#flags.i) return set;
    if (!isBelow(set, 0x7f)) throw untranslatable;
    return foldAscii(set);
  }

  #codePoint(): number {
    const code = this.#pattern.codePointAt(this.#at);
    if (code === undefined) throw untranslatable;
    this.#at += code > 0xffff ? 2 : 1;
    return code;
  }

  #take(text: string): boolean {
    const found = this.#pattern.startsWith(text, this.#at);
    if (found) this.#at += text.length;
    return found;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#pattern);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }
}

function characters(set: CharacterSet): Node {
  return { kind: 'characters', set };
}
