/** Evaluates member references such as `.A.B`: fields, map keys and methods. */
import { quote } from '../fmt/quote.ts';
import type { Node } from '../parse/nodes.ts';
import type { Execution } from '../run/execution.ts';
import { elementTypeOf, isList, isMap, isPlainObject, typeOf } from '../values/kind.ts';
import { mapGet } from '../values/map.ts';
import { zeroOf } from '../values/zero.ts';
import { failedCall, settle } from './call.ts';

/** Evaluates the arguments of a method call. Null if there are no arguments. */
export type MemberArguments = (() => unknown[]) | null;

/** A reference to a field, map key or method in a template. */
export interface Member {
  /** Node whose location is reported in error messages. */
  readonly node: Node;
  readonly name: string;
  readonly args: MemberArguments;
}

const upperCase = /^\p{Lu}/u;

/**
 * Reports whether Go would export a name. Members with other names, such as `constructor`, `__proto__` and private fields, are not
 * accessible.
 */
function isExposed(name: string): boolean {
  return upperCase.test(name);
}

/**
 * Reads a member of `receiver`. `container` is the value that `receiver` was read from, or undefined at the start of a chain.
 *
 * If `receiver` comes from a map or list, error messages contain the declared element type.
 */
export function readMember(x: Execution, member: Member, receiver: unknown, container: unknown): unknown {
  const { name, args } = member;
  if (receiver === undefined) {
    if (x.missingKey === 'error') throw new Error(`nil data; no entry for key ${quote(name)}`);
    return undefined;
  }
  if (receiver === null) throw new Error(`nil pointer evaluating ${declaredType(container)}.${name}`);
  if (typeof receiver === 'object') {
    if (!isPlainObject(receiver) && name in receiver && isExposed(name)) {
      return readProperty(x, member, receiver);
    }
    if (isMap(receiver)) {
      if (args !== null) throw new Error(`${name} is not a method but has arguments`);
      const value = mapGet(receiver, name);
      return value === undefined ? missing(x, receiver, name) : value;
    }
  }
  throw new Error(`can't evaluate field ${name} in type ${describe(receiver, container)}`);
}

/** Calls a method or reads a field. A function that is stored in a field is returned as a value, for use with `call`. */
function readProperty(x: Execution, { node, name, args }: Member, receiver: object): unknown {
  const value: unknown = (receiver as Record<string, unknown>)[name];
  if (typeof value !== 'function' || Object.hasOwn(receiver, name)) {
    if (args !== null) throw new Error(`${name} has arguments but cannot be invoked as function`);
    return value ?? null;
  }
  const values = args === null ? [] : args();
  x.budget.step();
  try {
    return settle(Reflect.apply(value, receiver, values));
  } catch (error) {
    return failedCall(x, node, name, error);
  }
}

function missing(x: Execution, map: object, name: string): unknown {
  switch (x.missingKey) {
    case 'invalid':
      return undefined;
    case 'zero':
      return zeroOf(elementTypeOf(map));
    case 'error':
      throw new Error(`map has no entry for key ${quote(name)}`);
  }
}

function declaredType(container: unknown): string {
  return isMap(container) || isList(container) ? elementTypeOf(container) : 'interface {}';
}

function describe(receiver: unknown, container: unknown): string {
  return isMap(container) || isList(container) ? elementTypeOf(container) : typeOf(receiver);
}
