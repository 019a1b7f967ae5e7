/** Creates the mutants of a source file. Each mutant is one small change that a test should detect. */
import { parseSync, Visitor } from 'oxc-parser';

/** A source change that replaces the text from `start` to `end` with `replacement`. */
export interface Mutation {
  readonly kind: MutationKind;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Syntax that the mutation changes: an operator, a condition, a constant or a returned value. */
export type MutationKind = 'operator' | 'condition' | 'constant' | 'return';

/** Replacement for each operator. Each replacement represents a typical mistake. */
const operators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
};

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Names of array methods that take a comparison function. */
const sorts = new Set(['sort', 'toSorted']);

function isWithin({ start, end }: Span, spans: readonly Span[]): boolean {
  return spans.some((each) => each.start <= start && end <= each.end);
}

/** Reports whether a number literal is one of the given values, possibly after a minus sign. */
function isSign({ start, end }: Span, values: readonly Span[]): boolean {
  return values.some((each) => each.end === end && start - each.start <= 1);
}

interface BinaryNode extends Span {
  readonly operator: string;
  readonly left: Span & { readonly type: string };
  readonly right: Span & { readonly type: string };
}

/** Returns the mutations of a file, in order. Skips types, imports and message texts. */
export function mutationsOf(file: string, source: string): Mutation[] {
  const found: Mutation[] = [];
  const add = (kind: MutationKind, span: Span, replacement: string): void => {
    found.push({ kind, start: span.start, end: span.end, replacement });
  };
  const binary = (node: BinaryNode): void => {
    const replacement = operators[node.operator];
    const isText = node.operator === '+' && [node.left, node.right].some(({ type }) => type.includes('Template'));
    if (replacement === undefined || isText) return;
    const start = source.indexOf(node.operator, node.left.end);
    add('operator', { start, end: start + node.operator.length }, replacement);
  };
  const negate = ({ test }: { readonly test: Span }): void =>
    add('condition', test, `!(${source.slice(test.start, test.end)})`);
  const types: Span[] = [];
  const comparators: Span[] = [];
  const signs: Span[] = [];
  const visitor = new Visitor({
    TSLiteralType: (node) => types.push(node),
    BinaryExpression: (node) => binary(node),
    LogicalExpression: (node) => binary(node),
    IfStatement: negate,
    CallExpression: ({ callee, arguments: [comparator] }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (comparator !== undefined && sorts.has(callee.property.name)) comparators.push(comparator);
    },
    ConditionalExpression: (node) => {
      negate(node);
      if (isWithin(node, comparators)) signs.push(node.consequent, node.alternate);
    },
    Literal: (node) => {
      // Only the sign of a comparison function's result matters, so its nonzero numbers are not mutated.
      if (typeof node.value === 'number' && node.value !== 0 && isSign(node, signs)) return;
      if (typeof node.value === 'number') add('constant', node, String(node.value + 1));
      else if (typeof node.value === 'boolean') add('constant', node, String(!node.value));
    },
    ReturnStatement: ({ argument }) => {
      const isUndefined = argument?.type === 'Identifier' && argument.name === 'undefined';
      if (argument !== null && argument.type !== 'Literal' && !isUndefined) add('return', argument, 'undefined');
    },
  });
  visitor.visit(parseSync(file, source).program);
  return found.filter((each) => each.end > each.start && !isWithin(each, types)).toSorted((a, b) => a.start - b.start);
}

export function applyMutation(source: string, { start, end, replacement }: Mutation): string {
  return source.slice(0, start) + replacement + source.slice(end);
}
