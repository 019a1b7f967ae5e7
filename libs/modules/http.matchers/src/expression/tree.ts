/** Helpers to create and inspect CEL syntax tree nodes. */
import type { Expr } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';

export type Node = Expr;

type Kind = Node['exprKind'];

function makeNode(exprKind: Kind): Node {
  return { $typeName: 'cel.expr.Expr', id: 0n, exprKind };
}

/** Creates a node that reads a variable. */
export function identifier(name: string): Node {
  return makeNode({ case: 'identExpr', value: { $typeName: 'cel.expr.Expr.Ident', name } });
}

export function listNode(elements: Node[]): Node {
  return makeNode({
    case: 'listExpr',
    value: { $typeName: 'cel.expr.Expr.CreateList', elements, optionalIndices: [] },
  });
}

export function callNode(name: string, args: Node[]): Node {
  return makeNode({ case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } });
}

export function booleanNode(value: boolean): Node {
  return makeNode({
    case: 'constExpr',
    value: { $typeName: 'cel.expr.Constant', constantKind: { case: 'boolValue', value } },
  });
}

/** Parts of a comprehension (a loop over a list); see cel.expr.Expr.Comprehension in the CEL specification. */
export interface Loop {
  readonly range: Node;
  readonly variable: string;
  readonly accumulator: string;
  readonly start: Node;
  readonly condition: Node;
  readonly step: Node;
  readonly result: Node;
}

export function loopNode(loop: Loop): Node {
  return makeNode({
    case: 'comprehensionExpr',
    value: {
      $typeName: 'cel.expr.Expr.Comprehension',
      iterVar: loop.variable,
      iterVar2: '',
      iterRange: loop.range,
      accuVar: loop.accumulator,
      accuInit: loop.start,
      loopCondition: loop.condition,
      loopStep: loop.step,
      result: loop.result,
    },
  });
}

/** Returns the value of a string literal, or `null` for other nodes. */
export function literalText(node: Node | undefined): string | null {
  if (node?.exprKind.case !== 'constExpr') return null;
  const { constantKind } = node.exprKind.value;
  return constantKind.case === 'stringValue' ? constantKind.value : null;
}

/** Returns the name of an identifier, or `null` for other nodes. */
export function nameOf(node: Node | undefined): string | null {
  return node?.exprKind.case === 'identExpr' ? node.exprKind.value.name : null;
}

/** Returns the dotted name of a chain of field selections, or `null` for other nodes. */
export function qualifiedName(node: Node | undefined): string | null {
  if (node?.exprKind.case !== 'selectExpr') return nameOf(node);
  const { operand, field, testOnly } = node.exprKind.value;
  const prefix = testOnly ? null : qualifiedName(operand);
  return prefix === null ? null : `${prefix}.${field}`;
}

/** Returns a copy of a node. `change` replaces each child. */
export function mapChildren(node: Node, change: (child: Node) => Node): Node {
  const { exprKind } = node;
  switch (exprKind.case) {
    case 'callExpr': {
      const { target, args } = exprKind.value;
      return {
        ...node,
        exprKind: {
          case: 'callExpr',
          value: { ...exprKind.value, ...(target && { target: change(target) }), args: args.map(change) },
        },
      };
    }
    case 'selectExpr': {
      const { operand } = exprKind.value;
      return {
        ...node,
        exprKind: { case: 'selectExpr', value: { ...exprKind.value, ...(operand && { operand: change(operand) }) } },
      };
    }
    case 'listExpr':
      return {
        ...node,
        exprKind: { case: 'listExpr', value: { ...exprKind.value, elements: exprKind.value.elements.map(change) } },
      };
    case 'structExpr': {
      const entries = exprKind.value.entries.map((entry) => ({
        ...entry,
        keyKind:
          entry.keyKind.case === 'mapKey'
            ? ({ case: 'mapKey', value: change(entry.keyKind.value) } as const)
            : entry.keyKind,
        ...(entry.value && { value: change(entry.value) }),
      }));
      return { ...node, exprKind: { case: 'structExpr', value: { ...exprKind.value, entries } } };
    }
    case 'comprehensionExpr': {
      const { value } = exprKind;
      const parts = {
        ...(value.iterRange && { iterRange: change(value.iterRange) }),
        ...(value.accuInit && { accuInit: change(value.accuInit) }),
        ...(value.loopCondition && { loopCondition: change(value.loopCondition) }),
        ...(value.loopStep && { loopStep: change(value.loopStep) }),
        ...(value.result && { result: change(value.result) }),
      };
      return { ...node, exprKind: { case: 'comprehensionExpr', value: { ...value, ...parts } } };
    }
    default:
      return node;
  }
}
