/**
 * Type checker for expressions, because the CEL library doesn't check types. Expressions are checked when a configuration is loaded. Values
 * that depend on the request have type `dyn`.
 */
import { CelScalar, objectType, type CelEnv, type CelType } from '@bufbuild/cel';
import { valueError, itemAt } from '@sluice/base';
import { requestType } from './environment.ts';
import { qualifiedName, type Node } from './tree.ts';
import { agree, describe, joinTypes, listOf, mapOf } from './types.ts';

const { BOOL, BYTES, DOUBLE, DYN, INT, NULL, STRING, TYPE, UINT } = CelScalar;

type Scope = ReadonlyMap<string, CelType>;
type Value<C extends Node['exprKind']['case']> = Extract<Node['exprKind'], { case: C }>['value'];

const typeNames = new Set([
  'bool',
  'bytes',
  'double',
  'dyn',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'type',
  'uint',
]);

/** Returns the type of an expression. Throws ERR_VALUE for undeclared names and for type mismatches. */
export function typeOf(root: Node, env: CelEnv, variables: Scope): CelType {
  return new Checker(env).typeOf(root, new Map([...variables, ['req', requestType]]));
}

class Checker {
  readonly #env: CelEnv;

  constructor(env: CelEnv) {
    this.#env = env;
  }

  typeOf(node: Node | undefined, scope: Scope): CelType {
    const kind = node?.exprKind;
    switch (kind?.case) {
      case 'constExpr':
        return constantType(kind.value.constantKind.case);
      case 'identExpr':
        return this.#name(kind.value.name, scope) ?? undeclared(kind.value.name);
      case 'selectExpr':
        return this.#select(kind.value, scope, node as Node);
      case 'callExpr':
        return this.#call(kind.value, scope);
      case 'listExpr':
        return listOf(joinTypes(kind.value.elements.map((element) => this.typeOf(element, scope))));
      case 'structExpr':
        return this.#struct(kind.value, scope);
      case 'comprehensionExpr':
        return this.#loop(kind.value, scope);
      default:
        throw valueError('the expression is incomplete');
    }
  }

  #name(name: string, scope: Scope): CelType | null {
    const declared = scope.get(name);
    if (declared !== undefined) return declared;
    return typeNames.has(name) || this.#env.registry.getMessage(name) !== undefined ? TYPE : null;
  }

  #select({ operand, field, testOnly }: Value<'selectExpr'>, scope: Scope, node: Node): CelType {
    const qualified = qualifiedName(node);
    const known = qualified === null ? null : this.#name(qualified, scope);
    if (known !== null) return known;
    const type = this.typeOf(operand, scope);
    if (type === requestType || (type.kind !== 'map' && type.kind !== 'object' && type !== DYN))
      throw valueError(`a ${describe(type)} has no field ${field}`);
    if (testOnly) return BOOL;
    return type.kind === 'map' ? type.value : DYN;
  }

  #call({ function: name, target, args }: Value<'callExpr'>, scope: Scope): CelType {
    const types = args.map((arg) => this.typeOf(arg, scope));
    const namespace = qualifiedName(target);
    const first = namespace?.split('.')[0];
    if (
      namespace !== null &&
      first !== undefined &&
      !scope.has(first) &&
      this.#env.funcs.find(`${namespace}.${name}`) !== undefined
    ) {
      return this.#overload(`${namespace}.${name}`, null, types);
    }
    return (
      operatorType(name, types) ?? this.#overload(name, target === undefined ? null : this.typeOf(target, scope), types)
    );
  }

  #overload(name: string, target: CelType | null, types: readonly CelType[]): CelType {
    const overloads = [...(this.#env.funcs.find(name) ?? [])];
    if (overloads.length === 0) throw valueError(`unknown function ${name}`);
    const fitting = overloads.filter(
      (overload) =>
        overload.arguments.length === types.length &&
        overload.arguments.every((wanted, index) => agree(wanted, itemAt(types, index))) &&
        (overload.target === undefined ? target === null : target !== null && agree(overload.target, target)),
    );
    if (fitting.length === 0) throw noOverload(name, target === null ? types : [target, ...types]);
    return joinTypes(fitting.map(({ result }) => result));
  }

  #struct({ messageName, entries }: Value<'structExpr'>, scope: Scope): CelType {
    const values = entries.map((entry) => this.typeOf(entry.value, scope));
    if (messageName !== '') {
      if (this.#env.registry.getMessage(messageName) === undefined) return undeclared(messageName);
      return objectType(messageName);
    }
    const keys = entries.map(({ keyKind }) => (keyKind.case === 'mapKey' ? this.typeOf(keyKind.value, scope) : DYN));
    return mapOf(joinTypes(keys), joinTypes(values));
  }

  #loop(loop: Value<'comprehensionExpr'>, scope: Scope): CelType {
    const range = this.typeOf(loop.iterRange, scope);
    if (range.kind !== 'list' && range.kind !== 'map' && range !== DYN)
      throw valueError(`cannot iterate over a ${describe(range)}`);
    const item = range.kind === 'list' ? range.element : range.kind === 'map' ? range.key : DYN;
    const start = this.typeOf(loop.accuInit, scope);
    const around = new Map([...scope, [loop.accuVar, start]]);
    const inside = new Map([...around, [loop.iterVar, item]]);
    requireBoolean(this.typeOf(loop.loopCondition, inside), 'a loop condition');
    const step = this.typeOf(loop.loopStep, inside);
    // The accumulator list starts empty, so the appended elements determine its type.
    if (start.kind === 'list') around.set(loop.accuVar, step);
    return this.typeOf(loop.result, around);
  }
}

/** Returns the result type of an operator whose argument types must agree. Returns `null` for all other functions. */
function operatorType(name: string, types: readonly CelType[]): CelType | null {
  const [a = DYN, b = DYN, c = DYN] = types;
  switch (name) {
    case '_==_':
    case '_!=_':
      return agree(a, b) ? BOOL : refuse(name, types);
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      // Overloads for mixed number types apply only to arguments of type `dyn`.
      return agree(a, b) ? null : refuse(name, types);
    case '_&&_':
    case '_||_':
      for (const type of types) requireBoolean(type, `an operand of ${name.slice(1, -1)}`);
      return BOOL;
    case '_?_:_':
      requireBoolean(a, 'the condition before ?');
      return agree(b, c) ? joinTypes([b, c]) : refuse(name, types);
    case '@not_strictly_false':
      return BOOL;
    case '@in':
      if (b.kind === 'list') return agree(a, b.element) ? BOOL : refuse('in', types);
      if (b.kind === 'map') return agree(a, b.key) ? BOOL : refuse('in', types);
      return b === DYN ? BOOL : refuse('in', types);
    case '_[_]':
      if (a.kind === 'list') return agree(b, INT) || b === UINT || b === DOUBLE ? a.element : refuse(name, types);
      if (a.kind === 'map') return agree(a.key, b) ? a.value : refuse(name, types);
      return a === DYN ? DYN : refuse(name, types);
    case '_+_':
      return a.kind === 'list' && b.kind === 'list'
        ? listOf(joinTypes([a.element, b.element].filter((type) => type !== DYN)))
        : null;
    default:
      return null;
  }
}

function constantType(kind: string | undefined): CelType {
  switch (kind) {
    case 'boolValue':
      return BOOL;
    case 'bytesValue':
      return BYTES;
    case 'doubleValue':
      return DOUBLE;
    case 'int64Value':
      return INT;
    case 'uint64Value':
      return UINT;
    case 'nullValue':
      return NULL;
    default:
      return STRING;
  }
}

function requireBoolean(type: CelType, what: string): void {
  if (type !== DYN && type !== BOOL) throw valueError(`${what} must be a bool, but is a ${describe(type)}`);
}

function undeclared(name: string): never {
  throw valueError(`unknown variable or type ${name}`);
}

function refuse(name: string, types: readonly CelType[]): never {
  throw noOverload(name, types);
}

function noOverload(name: string, types: readonly CelType[]): Error {
  return valueError(`${name.replaceAll('_', '')} cannot be applied to (${types.map(describe).join(', ')})`);
}
