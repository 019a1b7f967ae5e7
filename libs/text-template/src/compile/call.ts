/** Compiles function calls: checks the argument count and types, and reports errors that the function throws. */
import { messageOf } from '../errors.ts';
import type { TemplateFunction } from '../functions/declare.ts';
import type { Parameter } from '../functions/parameters.ts';
import type { Node, OperandNode } from '../parse/nodes.ts';
import type { Execution } from '../run/execution.ts';
import { checkResult } from '../limits/size.ts';
import { typeOf } from '../values/kind.ts';
import { isTrue } from '../values/truth.ts';
import type { Compiler, PipedEvaluator } from './compiler.ts';

type Argument = (x: Execution, dot: unknown) => unknown;

export interface CalledFunction {
  readonly name: Node & { readonly name: string };
  readonly node: Node;
}

/**
 * Compiles a function call. `node` is the location for errors that the function throws, and `name` is the node of the function name. If
 * `final` is true, a piped value is the last argument.
 */
export function compileCall(
  compiler: Compiler,
  { name, node }: CalledFunction,
  operands: readonly OperandNode[],
  final: boolean,
): PipedEvaluator {
  const declared = compiler.functionOf(name.name);
  const count = operands.length + (final ? 1 : 0);
  const wrong = wrongCount(declared, name.name, count);
  if (wrong !== null) {
    return (x) => {
      x.node = name;
      throw new Error(wrong);
    };
  }
  const args = operands.map((operand, index) => compiler.argument(operand, parameterAt(declared, index)));
  if (declared.stopsAt !== null) return compileShortCircuit(name, args, final, declared.stopsAt);
  const last = final ? parameterAt(declared, operands.length) : null;
  const call = compileInvocation(declared, name, args, last);
  return (x, dot, value) => {
    x.node = name;
    x.budget.step();
    return call(x, dot, value, node);
  };
}

function parameterAt(declared: TemplateFunction, index: number): Parameter<unknown> {
  const parameter = declared.parameters[index] ?? declared.rest;
  if (parameter === null) throw new Error(`no parameter ${index}`);
  return parameter;
}

function wrongCount(declared: TemplateFunction, name: string, count: number): string | null {
  const wanted = declared.parameters.length;
  if (declared.rest !== null) {
    return count >= wanted ? null : `wrong number of args for ${name}: want at least ${wanted} got ${count}`;
  }
  return count === wanted ? null : `wrong number of args for ${name}: want ${wanted} got ${count}`;
}

/** Compiles `and` and `or`, which evaluate their arguments lazily. */
function compileShortCircuit(name: Node, args: readonly Argument[], final: boolean, stopsAt: boolean): PipedEvaluator {
  return (x, dot, piped) => {
    x.node = name;
    x.budget.step();
    let value: unknown;
    for (const argument of args) {
      value = argument(x, dot);
      if (isTrue(value) === stopsAt) return value;
    }
    return final ? piped : value;
  };
}

type Invocation = (x: Execution, dot: unknown, final: unknown, node: Node) => unknown;

function compileInvocation(
  declared: TemplateFunction,
  { name }: { readonly name: string },
  args: readonly Argument[],
  last: Parameter<unknown> | null,
): Invocation {
  const [first, second] = args;
  const standard = declared.call;
  // Fast path for the most common calls, with one or two arguments. It avoids allocating an array.
  if (last === null && args.length === 1 && first !== undefined) {
    return (x, dot, _, node) => {
      const a = first(x, dot);
      try {
        return settle((x.implementations?.get(name) ?? standard)(a));
      } catch (error) {
        return failedCall(x, node, name, error);
      }
    };
  }
  if (last === null && args.length === 2 && first !== undefined && second !== undefined) {
    return (x, dot, _, node) => {
      const a = first(x, dot);
      const b = second(x, dot);
      try {
        return settle((x.implementations?.get(name) ?? standard)(a, b));
      } catch (error) {
        return failedCall(x, node, name, error);
      }
    };
  }
  return (x, dot, final, node) => {
    const values = args.map((argument) => argument(x, dot));
    if (last !== null) values.push(validate(final, last));
    try {
      return settle((x.implementations?.get(name) ?? standard)(...values));
    } catch (error) {
      return failedCall(x, node, name, error);
    }
  };
}

/** Rejects results that are too large. Also rejects promises, because templates are synchronous. */
export function settle(value: unknown): unknown {
  if (typeof value !== 'object') {
    if (typeof value === 'string') checkResult(value);
    return value;
  }
  if (Array.isArray(value)) checkResult(value);
  if (value instanceof Promise) {
    value.catch(() => undefined);
    throw new Error('the function returned a promise, but templates are synchronous');
  }
  return value;
}

/** Rethrows a function's error with its location in the template. */
export function failedCall(x: Execution, node: Node, name: string, error: unknown): never {
  x.node = node;
  throw new Error(`error calling ${name}: ${messageOf(error)}`, { cause: error });
}

/** Converts a value to the type of a parameter. If the conversion is impossible, throws an error that contains the actual type. */
export function validate<T>(value: unknown, parameter: Parameter<T>): T {
  if (value === undefined) {
    if (parameter.nil === undefined) throw new Error(`invalid value; expected ${parameter.type}`);
    return parameter.nil;
  }
  const read = value === null ? parameter.nil : parameter.read(value);
  if (read !== undefined) return read;
  const got = value === null ? 'interface {}' : typeOf(value);
  throw new Error(`wrong type for value; expected ${parameter.type}; got ${got}`);
}
