/** Compiles `range` loops over lists, integers, and maps in key order. */
import { displayable } from '../fmt/display.ts';
import type { PipeNode, RangeNode } from '../parse/nodes.ts';
import { breakLoop, proceed, type Action, type Execution, type Signal } from '../run/execution.ts';
import { isList, isMap, typeOf } from '../values/kind.ts';
import { sortedEntries } from '../values/map.ts';
import { integerOf, TypedNumber, type Integer } from '../values/number.ts';
import type { Compiler } from './compiler.ts';

/** Runs one loop iteration. Returns true if the loop must stop. */
type Turn = (x: Execution, key: unknown, value: unknown) => boolean;

/** Compiles a `range` loop. The `{{else}}` branch runs if there are no elements. */
export function compileRange(compiler: Compiler, node: RangeNode): Action {
  const source = compiler.pipe({ ...node.pipe, targets: [] });
  const body = compiler.list(node.body);
  const otherwise = node.otherwise === null ? null : compiler.list(node.otherwise);
  const setVariables = compileTargets(node.pipe);
  const turn: Turn = (x, key, value) => {
    x.budget.step();
    setVariables?.(x, key, value);
    return body(x, value) === breakLoop;
  };
  const variables = node.pipe.targets.length;
  return (x, dot): Signal => {
    x.node = node;
    x.budget.step();
    const value = source(x, dot);
    // As in Go, the loop variables contain the whole list in the `{{else}}` branch.
    setVariables?.(x, value, value);
    const empty = walk(x, value, turn, variables);
    if (!empty || otherwise === null) return proceed;
    return otherwise(x, dot);
  };
}

/** Compiles the loop variables. A single variable is set to the element. Two variables are set to the index or key, and the element. */
function compileTargets(pipe: PipeNode): Turn | null {
  const [first, second] = pipe.targets;
  if (first === undefined) return null;
  const set = (x: Execution, slot: number, name: string, value: unknown): void => {
    if (slot < 0) throw new Error(`undefined variable: ${name}`);
    x.variables[slot] = value ?? undefined;
  };
  if (second === undefined) {
    return (x, _, value) => {
      set(x, first.slot, first.name, value);
      return false;
    };
  }
  return (x, key, value) => {
    set(x, first.slot, first.name, key);
    set(x, second.slot, second.name, value);
    return false;
  };
}

/** Runs the loop iterations. Returns true if there were no elements. */
function walk(x: Execution, source: unknown, turn: Turn, variables: number): boolean {
  if (source === undefined) return true;
  if (isList(source)) return walkList(x, source, turn);
  if (isMap(source)) return walkMap(x, source, turn);
  const integer = integerOf(source);
  if (integer === null) throw new Error(`range can't iterate over ${displayable(source)}`);
  if (variables > 1) throw new Error(`can't use ${displayable(source)} to iterate over more than one variable`);
  return walkInteger(x, source, integer, turn);
}

function walkList(x: Execution, list: readonly unknown[] | Uint8Array, turn: Turn): boolean {
  const bytes = list instanceof Uint8Array;
  // Read the length only once. Otherwise, a function that appends to the list could make the loop infinite.
  const { length } = list;
  for (let i = 0; i < length; i++) {
    const element = list[i];
    if (turn(x, i, bytes ? new TypedNumber('uint8', element as number) : element)) break;
  }
  return length === 0;
}

function walkMap(x: Execution, map: Parameters<typeof sortedEntries>[0], turn: Turn): boolean {
  const entries = sortedEntries(map);
  for (const [key, value] of entries) if (turn(x, key, value)) break;
  return entries.length === 0;
}

function walkInteger(x: Execution, source: unknown, count: Integer, turn: Turn): boolean {
  const kind = source instanceof TypedNumber && typeOf(source) !== 'int' ? source.kind : null;
  const end = Number(count);
  for (let i = 0; i < end; i++) {
    const value = kind === null ? i : new TypedNumber(kind, i);
    if (turn(x, value, value)) break;
  }
  return end <= 0;
}
