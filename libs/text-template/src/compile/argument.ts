/** Compiles function arguments. Constants are converted to the parameter type. Other values must already have that type. */
import type { Parameter } from '../functions/parameters.ts';
import type { NumberNode, OperandNode } from '../parse/nodes.ts';
import { printNode } from '../parse/print-node.ts';
import type { Evaluator, Execution } from '../run/execution.ts';
import { float64 } from '../values/number.ts';
import { validate } from './call.ts';

/** Compiles an operand as an argument for a parameter. `evaluate` compiles operands that are not constants. */
export function compileArgument<T>(
  node: OperandNode,
  parameter: Parameter<T>,
  evaluate: (node: OperandNode) => Evaluator,
): (x: Execution, dot: unknown) => T {
  switch (node.kind) {
    case 'nil':
      return compileNil(node, parameter);
    case 'string':
    case 'bool':
    case 'number':
      return compileConstant(node, parameter);
    default: {
      const evaluator = evaluate(node);
      return (x, dot) => {
        x.node = node;
        return validate(evaluator(x, dot), parameter);
      };
    }
  }
}

function compileNil<T>(node: OperandNode, parameter: Parameter<T>): (x: Execution) => T {
  return (x) => {
    x.node = node;
    if (parameter.nil === undefined) throw new Error(`cannot assign nil to ${parameter.type}`);
    return parameter.nil;
  };
}

type ConstantNode = Extract<OperandNode, { kind: 'string' | 'bool' | 'number' }>;

function compileConstant<T>(node: ConstantNode, parameter: Parameter<T>): (x: Execution) => T {
  const wanted = parameter.constant;
  if (wanted === 'none') return failing(node, `can't handle ${printNode(node)} for arg of type ${parameter.type}`);
  const found = `; found ${printNode(node)}`;
  const value = constantFor(node, wanted);
  if (value === undefined) return failing(node, `expected ${wanted}${found}`);
  if (typeof value === 'string' && node.kind === 'number') return failing(node, value);
  const read = wanted === 'any' ? parameter.read(value) : (value as T);
  if (read === undefined) return failing(node, `expected ${parameter.type}${found}`);
  return (x) => {
    x.node = node;
    return read;
  };
}

/** Converts a constant to the type `wanted`. Returns undefined if the conversion is impossible. */
function constantFor(node: ConstantNode, wanted: Parameter<unknown>['constant']): unknown {
  switch (node.kind) {
    case 'string':
      return wanted === 'string' || wanted === 'any' ? node.value : undefined;
    case 'bool':
      return wanted === 'bool' || wanted === 'any' ? node.value : undefined;
    case 'number':
      if (wanted === 'integer') return node.integer === null ? undefined : Number(node.integer);
      if (wanted === 'float') return node.float;
      return wanted === 'any' ? naturalNumber(node) : undefined;
  }
}

/** Returns a number constant as its default type, or a string with an error message. */
export function naturalNumber(node: NumberNode): unknown {
  if (node.natural === 'float64') return float64(node.float);
  return node.natural === 'overflow' ? `${node.text} overflows int` : node.integer;
}

/** Returns an evaluator that throws when executed. The error is deferred to run time because the branch might never be executed. */
export function failing(node: OperandNode, message: string): (x: Execution) => never {
  return (x) => {
    x.node = node;
    throw new Error(message);
  };
}
