/** The syntax tree of a regular expression, and what can be told from it. */
import type { CharacterSet } from './character-set.ts';

/** A node of the tree. */
export type Node = Characters | Assertion | Group | Sequence | Alternation | Repetition;

/** One character of a set. */
export interface Characters {
  readonly kind: 'characters';
  readonly set: CharacterSet;
}

/** A place: begin or end of the text, a boundary of an ASCII word, or no such boundary. */
export interface Assertion {
  readonly kind: 'assertion';
  readonly source: '^' | '$' | '\\b' | '\\B';
}

/** A capturing group. Groups that do not capture are their body. */
export interface Group {
  readonly kind: 'group';
  readonly body: Node;
}

/** One after the other; empty for nothing. */
export interface Sequence {
  readonly kind: 'sequence';
  readonly items: readonly Node[];
}

/** The first that leads to a match. */
export interface Alternation {
  readonly kind: 'alternation';
  readonly options: readonly Node[];
}

/** `min` to `max` times (Infinity for no limit), as many as possible, or as few if `lazy`. */
export interface Repetition {
  readonly kind: 'repetition';
  readonly body: Node;
  readonly min: number;
  readonly max: number;
  readonly lazy: boolean;
}

/** The nodes right under a node. */
function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'sequence':
      return node.items;
    case 'alternation':
      return node.options;
    case 'group':
    case 'repetition':
      return [node.body];
    case 'characters':
    case 'assertion':
      return [];
  }
}

/** True if a node or one under it passes a test. */
export function someNode(node: Node, test: (node: Node) => boolean): boolean {
  return test(node) || childrenOf(node).some((child) => someNode(child, test));
}

/** True for a capturing group or what has one in it. */
export function hasGroup(node: Node): boolean {
  return someNode(node, ({ kind }) => kind === 'group');
}

/** True if a node can match the empty text. */
export function isNullable(node: Node): boolean {
  switch (node.kind) {
    case 'characters':
      return false;
    case 'assertion':
      return true;
    case 'group':
      return isNullable(node.body);
    case 'sequence':
      return node.items.every(isNullable);
    case 'alternation':
      return node.options.some(isNullable);
    case 'repetition':
      return node.min === 0 || isNullable(node.body);
  }
}

/** True if all groups in a node take part in each of its matches. */
function groupsAlwaysMatch(node: Node): boolean {
  const optional = node.kind === 'alternation' || (node.kind === 'repetition' && node.min === 0);
  if (optional) return !hasGroup(node);
  return childrenOf(node).every(groupsAlwaysMatch);
}

/**
 * True if JavaScript finds the same match and the same groups as RE2. It does not where a repetition
 *
 * - can repeat the empty text: JavaScript takes no empty turn, `(|a)*` is `aa` there and empty in RE2;
 * - has groups that not every turn sets: JavaScript forgets at each turn, RE2 keeps what an earlier turn found.
 *
 * Whether there is a match at all is the same in any case.
 */
export function hasSameGroups(node: Node): boolean {
  return !someNode(node, (inner) => {
    if (inner.kind !== 'repetition') return false;
    if (isNullable(inner.body)) return inner.max > 0;
    return inner.max > 1 && !groupsAlwaysMatch(inner.body);
  });
}

/** True if `^` only stands where nothing was consumed before. */
export function beginsAtStart(node: Node, consumed = false): boolean {
  switch (node.kind) {
    case 'characters':
      return true;
    case 'assertion':
      return !consumed || node.source !== '^';
    case 'sequence':
      return node.items.every((item, index) =>
        beginsAtStart(item, consumed || node.items.slice(0, index).some(consumes)),
      );
    case 'alternation':
      return node.options.every((option) => beginsAtStart(option, consumed));
    case 'group':
      return beginsAtStart(node.body, consumed);
    case 'repetition':
      return beginsAtStart(node.body, consumed || node.max > 1);
  }
}

function consumes(node: Node): boolean {
  return someNode(node, ({ kind }) => kind === 'characters');
}

/**
 * How many choices follow one another at most, with counted repetitions written out: V8 takes time to compile a pattern
 * that grows fast with this number, a millisecond for 16, and minutes for 80. Endless loops are not among them.
 */
export function choicesOf(node: Node): number {
  switch (node.kind) {
    case 'characters':
      return 0;
    case 'assertion':
      return node.source === '\\b' || node.source === '\\B' ? 1 : 0;
    case 'group':
      return choicesOf(node.body);
    case 'sequence':
      return node.items.reduce((sum, item) => sum + choicesOf(item), 0);
    case 'alternation':
      return 1 + node.options.reduce((most, option) => Math.max(most, choicesOf(option)), 0);
    case 'repetition':
      if (node.max === Infinity) return choicesOf(node.body) * (node.min + 1);
      return choicesOf(node.body) * node.max + (node.min < node.max ? 1 : 0);
  }
}
