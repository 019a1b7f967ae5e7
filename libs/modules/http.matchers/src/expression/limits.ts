/**
 * Limits the cost of evaluating an expression. Nested loops, and values that double in each iteration, could block the thread or exhaust
 * its memory. The limit applies only to expressions whose cost can grow faster than linearly. For other expressions, the cost is linear in
 * the size of the source and the request.
 */
import { isCelList, isCelMap, type CelEnv, type CelValue } from '@bufbuild/cel';
import { valueError } from '@sluice/base';
import { callNode, mapChildren, type Node } from './tree.ts';

/** Maximum cost of one evaluation. A call, a list element, or 64 characters cost one unit. */
const maxCost = 1_000_000;

/** Maximum length of a list in elements, and of a string in characters or bytes. */
const maxElements = 1_000_000;
const maxLength = 4 * 1024 * 1024;

/** Functions whose result can be much larger than their arguments, or that take quadratic time. */
const growing = new Set(['lists.range', 'replace', 'join', 'distinct', 'sort', '@sortBy', 'flatten', 'split']);

/** Functions that don't read the elements of their list arguments, so their cost doesn't depend on the length. */
const shallow = new Set(['_+_', 'size', '_[_]']);

/** Name of the internal function that counts loop iterations. */
const counted = '@counted';

/** Remaining cost units of the current evaluation. Evaluations are synchronous, so one variable is enough. */
let left = maxCost;

export function beginEvaluation(): void {
  left = maxCost;
}

/** Reports whether the cost of an expression can grow faster than linearly. */
export function canGrow(root: Node): boolean {
  const { case: kind, value } = root.exprKind;
  if (kind === 'comprehensionExpr') return true;
  if (kind === 'callExpr' && growing.has(nameOf(value))) return true;
  let found = false;
  mapChildren(root, (child) => {
    found ||= canGrow(child);
    return child;
  });
  return found;
}

/** Returns the name of a called function. The parser represents calls of namespaced functions as method calls. */
function nameOf({ function: name, target }: Extract<Node['exprKind'], { case: 'callExpr' }>['value']): string {
  return name === 'range' && target !== undefined ? 'lists.range' : name;
}

/** Returns a copy of the tree in which loops count their iterations. */
export function countLoops(root: Node): Node {
  const changed = mapChildren(root, countLoops);
  if (changed.exprKind.case !== 'comprehensionExpr') return changed;
  const { value } = changed.exprKind;
  const { iterRange } = value;
  if (iterRange === undefined) return changed;
  const exprKind = {
    case: 'comprehensionExpr' as const,
    value: { ...value, iterRange: callNode(counted, [iterRange]) },
  };
  return { ...changed, exprKind };
}

type Found = NonNullable<ReturnType<CelEnv['funcs']['find']>>;

export function limitedEnvironment(env: CelEnv): CelEnv {
  const find = (name: string): Found | undefined => {
    if (name === counted) return { call: (_, __, [range]) => countedRange(range as CelValue) } as Found;
    const found = env.funcs.find(name);
    return found === undefined ? undefined : limited(name, found);
  };
  return Object.create(env, { funcs: { value: { find } } }) as CelEnv;
}

function countedRange(range: CelValue): CelValue {
  if (isCelList(range) || isCelMap(range)) spend(1 + range.size);
  return range;
}

function limited(name: string, found: Found): Found {
  const isShallow = shallow.has(name);
  return {
    call: (id: number, target: CelValue | undefined, args: CelValue[]) => {
      spend(1);
      const all = target === undefined ? args : [target, ...args];
      for (const each of all) if (!isShallow || typeof each === 'string') readValue(each);
      if (name === 'distinct' && isCelList(target)) spend(target.size * target.size);
      if (name === 'replace') checkReplacement(all);
      if (name === 'join' && isCelList(target)) checkLength(target.size * lengthOf(args[0]));
      const result = found.call(id, target, args);
      checkLength(lengthOf(result));
      if (isCelList(result) && result.size > maxElements)
        throw valueError(`a list has more than ${maxElements} elements`);
      return result;
    },
  } as Found;
}

/** Checks the result size of a `replace` call. The count argument only limits the number of replacements. */
function checkReplacement([text, part, other]: readonly CelValue[]): void {
  if (typeof text !== 'string' || typeof part !== 'string') return;
  let count = part === '' ? text.length + 1 : 0;
  if (part !== '') for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  spend(count);
  checkLength(text.length + count * lengthOf(other));
}

/** Adds the cost of reading a value completely. The same nested list may occur many times in a list. */
function readValue(value: CelValue): void {
  if (typeof value === 'string' || value instanceof Uint8Array) spend(value.length / 64);
  else if (isCelList(value)) {
    spend(value.size);
    for (const item of value) if (typeof item === 'object' || typeof item === 'string') readValue(item);
  } else if (isCelMap(value)) {
    spend(value.size);
    for (const [key, item] of value) {
      readValue(key);
      readValue(item);
    }
  }
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
}

function checkLength(length: number): void {
  if (length > maxLength) throw valueError(`a string has more than ${maxLength} characters`);
}

/**
 * Adds to the evaluation cost. Throws when the limit is exceeded. An error value would not suffice, because operators can ignore it and
 * loops would continue.
 */
function spend(units: number): void {
  left -= units;
  if (left < 0) throw valueError(`the expression takes more than ${maxCost} steps to evaluate`);
}
