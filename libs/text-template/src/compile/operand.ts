/** Compiles operands and commands: constants, variables, member chains and calls. */
import { plain } from '../functions/parameters.ts';
import type { ChainNode, CommandNode, FieldNode, Node, OperandNode, VariableNode } from '../parse/nodes.ts';
import { printNode } from '../parse/print-node.ts';
import type { Evaluator } from '../run/execution.ts';
import { failing, naturalNumber } from './argument.ts';
import { compileCall, validate } from './call.ts';
import type { Compiler, PipedEvaluator } from './compiler.ts';
import { readMember, type Member } from './member.ts';

/** Compiles a command. The first operand determines the command type. The remaining operands are its arguments. */
export function compileCommand(compiler: Compiler, node: CommandNode, final: boolean): PipedEvaluator {
  const [first, ...args] = node.operands;
  if (first === undefined) throw new Error('empty command');
  switch (first.kind) {
    case 'field':
    case 'chain':
      return compileMember(compiler, first, args, final);
    case 'variable':
      if (first.names.length > 0) return compileMember(compiler, first, args, final);
      break;
    case 'identifier':
      return compileCall(compiler, { name: first, node }, args, final);
    default:
  }
  if (args.length > 0 || final) return notAFunction(first);
  return compileOperand(compiler, first);
}

export function compileOperand(compiler: Compiler, node: OperandNode): Evaluator {
  switch (node.kind) {
    case 'dot':
      return (x, dot) => {
        x.node = node;
        return dot;
      };
    case 'nil':
      return failing(node, 'nil is not a command');
    case 'bool':
    case 'string':
      return constant(node, node.value);
    case 'number': {
      const value = naturalNumber(node);
      return typeof value === 'string' ? failing(node, value) : constant(node, value);
    }
    case 'identifier': {
      const call = compileCall(compiler, { name: node, node }, [], false);
      return (x, dot) => call(x, dot, undefined);
    }
    case 'variable':
    case 'field':
    case 'chain': {
      if (node.kind === 'variable' && node.names.length === 0) return compileVariable(node);
      const member = compileMember(compiler, node, [], false);
      return (x, dot) => member(x, dot, undefined);
    }
    case 'pipe':
      return compiler.pipe(node);
  }
}

function constant(node: Node, value: unknown): Evaluator {
  return (x) => {
    x.node = node;
    return value;
  };
}

/**
 * Returns an evaluator that throws because an operand with arguments is not a function. As in Go, the error for a pipeline in parentheses
 * has no location.
 */
function notAFunction(node: OperandNode): PipedEvaluator {
  const located = node.kind !== 'pipe';
  return (x) => {
    if (located) x.node = node;
    throw new Error(`can't give argument to non-function ${printNode(node)}`);
  };
}

function compileVariable(node: VariableNode): Evaluator {
  const { slot, name } = node;
  if (slot < 0) return failing(node, `undefined variable: ${name}`);
  return (x) => {
    x.node = node;
    return x.variables[slot];
  };
}

/** Compiles the first operand of a chain. Nil in parentheses becomes "no value". */
function compileStart(compiler: Compiler, node: FieldNode | ChainNode | VariableNode): Evaluator {
  if (node.kind === 'field') return (_, dot) => dot;
  if (node.kind === 'variable') {
    const { slot, name } = node;
    return slot < 0 ? failing(node, `undefined variable: ${name}`) : (x) => x.variables[slot];
  }
  if (node.operand.kind === 'nil') return failing(node, `indirection through explicit nil in ${printNode(node)}`);
  return compileOperand(compiler, node.operand);
}

function compileMember(
  compiler: Compiler,
  node: FieldNode | ChainNode | VariableNode,
  operands: readonly OperandNode[],
  final: boolean,
): PipedEvaluator {
  const start = compileStart(compiler, node);
  const { names } = node;
  const outer = names.slice(0, -1).map((name): Member => ({ node, name, args: null }));
  const lastName = names.at(-1) ?? '';
  const last: Member = { node, name: lastName, args: null };
  const args = operands.map((operand) => compiler.argument(operand, plain));
  const called = args.length > 0 || final;
  return (x, dot, piped) => {
    x.node = node;
    let value = start(x, dot);
    let container: unknown;
    for (const member of outer) {
      const read = readMember(x, member, value, container);
      container = value;
      value = read;
    }
    if (!called) return readMember(x, last, value, container);
    const values = (): unknown[] => {
      const list = args.map((argument) => argument(x, dot));
      if (final) list.push(validate(piped, plain));
      return list;
    };
    return readMember(x, { node, name: lastName, args: values }, value, container);
  };
}
