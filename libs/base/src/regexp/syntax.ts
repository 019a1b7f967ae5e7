/** Syntax tree of a regular expression, and static analysis of the tree. */
import type { CharacterSet } from './character-set.ts';

export type Node = Characters | Assertion | Group | Sequence | Alternation | Repetition;

/** Node that matches one character in a set. */
export interface Characters {
  readonly kind: 'characters';
  readonly set: CharacterSet;
}

/** Zero-width assertion: the start or end of the text, an ASCII word boundary, or the absence of a word boundary. */
export interface Assertion {
  readonly kind: 'assertion';
  readonly source: '^' | '$' | '\\b' | '\\B';
}

/** A capturing group. The body of a non-capturing group directly replaces the group in the syntax tree. */
export interface Group {
  readonly kind: 'group';
  readonly body: Node;
}

export interface Sequence {
  readonly kind: 'sequence';
  readonly items: readonly Node[];
}

/** Alternatives in order of preference. */
export interface Alternation {
  readonly kind: 'alternation';
  readonly options: readonly Node[];
}

/**
 * Repeats the body `min` to `max` times; `Infinity` means no limit. Matches as often as possible, or as rarely as possible if `lazy` is
 * set.
 */
export interface Repetition {
  readonly kind: 'repetition';
  readonly body: Node;
  readonly min: number;
  readonly max: number;
  readonly lazy: boolean;
}

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

/** Reports whether a node or any of its descendants passes a test. */
export function someNode(node: Node, test: (node: Node) => boolean): boolean {
  return test(node) || childrenOf(node).some((child) => someNode(child, test));
}

/** Reports whether a node is or contains a capturing group. */
export function hasGroup(node: Node): boolean {
  return someNode(node, ({ kind }) => kind === 'group');
}

/** Reports whether a node can match the empty string. */
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

/** Reports whether every match of a node sets all groups inside the node. */
function groupsAlwaysMatch(node: Node): boolean {
  const optional = node.kind === 'alternation' || (node.kind === 'repetition' && node.min === 0);
  if (optional) return !hasGroup(node);
  return childrenOf(node).every(groupsAlwaysMatch);
}

/**
 * Reports whether JavaScript and RE2 find the same match and groups. They differ if a repetition has one of these properties:
 *
 * - It can match the empty string. JavaScript skips empty iterations, so `(|a)*` matches `aa` in JavaScript but the empty
 *   string in RE2.
 * - It contains groups that some iterations don't set. JavaScript resets these groups in each iteration, but RE2 keeps
 *   the earlier values.
 *
 * In both cases, the engines agree on whether the text matches.
 */
export function hasSameGroups(node: Node): boolean {
  return !someNode(node, (inner) => {
    if (inner.kind !== 'repetition') return false;
    if (isNullable(inner.body)) return inner.max > 0;
    return inner.max > 1 && !groupsAlwaysMatch(inner.body);
  });
}

/** Reports whether `^` occurs only at positions before any matched character. */
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
 * Returns the maximum number of consecutive choices, with counted repetitions expanded. Unbounded loops don't count.
 *
 * V8's compile time grows rapidly with this number: 16 choices take a millisecond, and 80 take minutes.
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
      return 1 + node.options.reduce((max, option) => Math.max(max, choicesOf(option)), 0);
    case 'repetition':
      if (node.max === Infinity) return choicesOf(node.body) * (node.min + 1);
      return choicesOf(node.body) * node.max + (node.min < node.max ? 1 : 0);
  }
}
