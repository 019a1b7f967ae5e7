/** Makes mutants of a source file: one small change each, of the kind that a test should notice. */
import { parseSync, Visitor } from 'oxc-parser';

/** One change of a file: the text from `start` to `end` becomes `replacement`. */
export interface Mutation {
  readonly kind: MutationKind;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** What is changed: an operator, a condition, a constant, a returned value. */
export type MutationKind = 'operator' | 'condition' | 'constant' | 'return';

/** Each operator becomes its neighbour: the usual slips. */
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

/** Methods that take a comparison. */
const sorts = new Set(['sort', 'toSorted']);

function isWithin({ start, end }: Span, spans: readonly Span[]): boolean {
  return spans.some((each) => each.start <= start && end <= each.end);
}

/** Whether a number is one of these values, perhaps after a minus. */
function isSign({ start, end }: Span, values: readonly Span[]): boolean {
  return values.some((each) => each.end === end && start - each.start <= 1);
}

interface BinaryNode extends Span {
  readonly operator: string;
  readonly left: Span & { readonly type: string };
  readonly right: Span & { readonly type: string };
}

/** Lists the mutations of a file, in the order of its text. Types, imports and texts of messages are left alone. */
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
      // Of what a comparison for a sort gives only the sign means something.
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

/** The text with one mutation in it. */
export function applyMutation(source: string, { start, end, replacement }: Mutation): string {
  return source.slice(0, start) + replacement + source.slice(end);
}
