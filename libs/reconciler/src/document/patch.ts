/** Applies JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396) to immutable trees. */
import {
  isSluiceError,
  pathError,
  SluiceError,
  syntaxError,
  isArray,
  isObject,
  jsonEqual,
  kindOf,
  own,
  type Json,
  type JsonObject,
  formatPointer,
  maxDepth,
  parsePointer,
  type ConfigPath,
} from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';
import { shareSubtrees } from './share.ts';
import { addAt, removeAt, replaceAt, getAt, type Draft } from './tree.ts';

/** Maximum number of operations in a patch. */
const maxPatchOperations = 20_000;

/** Maximum number of values that the `copy` operations of a patch may add. */
const maxCopiedNodes = 1_000_000;

/** Maximum CPU time for a patch, in milliseconds. It is limited because each operation may copy or compare a large list. */
const maxPatchTime = 2000;

/** Applies trusted operations, such as a JSON Patch from another thread. */
export function applyOperations(root: Json, operations: readonly PatchOperation[]): Json {
  const draft: Draft = new Set();
  let next = root;
  for (const operation of operations) {
    const path = parsePointer(operation.path);
    if (operation.op === 'add') next = addAt(next, path, operation.value, draft);
    else if (operation.op === 'replace') next = replaceAt(next, path, operation.value, draft);
    else next = removeAt(next, path, draft);
  }
  return next;
}

/**
 * Applies a client's JSON Patch atomically. All six operations are supported. Pointers are relative to `base`, the path of the patched
 * value.
 *
 * Errors have status 400 for an invalid patch, 404 for a missing target, and 409 for a failed `test`.
 *
 * The number of copied values is limited, because repeated copies could grow a document exponentially.
 */
export function applyJsonPatch(root: Json, patch: Json, base: ConfigPath = []): Json {
  if (!isArray(patch))
    throw syntaxError(`a JSON Patch must be an array of operations, not ${kindOf(patch)} (RFC 6902)`);
  if (patch.length > maxPatchOperations) {
    throw syntaxError(`a JSON Patch can have at most ${maxPatchOperations} operations, not ${patch.length}`);
  }
  const target = getAt(root, base);
  if (target === undefined) throw pathError(`${formatPointer(base)} does not exist, so it cannot be patched`, 404);
  const patching: Patching = { meter: new Meter(), draft: new Set(), depth: base.length };
  const end = processorTime() + maxPatchTime;
  let next = target;
  for (const [index, operation] of patch.entries()) {
    if (processorTime() > end)
      throw new SluiceError(
        'ERR_SYNTAX',
        `operation ${index}: the previous operations exceeded the limit of ${maxPatchTime / 1000} s of CPU time: split the patch`,
        { status: 413 },
      );
    try {
      next = applyOne(next, operation, patching);
    } catch (error) {
      if (!isSluiceError(error)) throw error;
      throw new SluiceError(error.code, `operation ${index}: ${error.message}`, { status: error.status, cause: error });
    }
  }
  return next === target ? root : replaceAt(root, base, next);
}

/** Returns the CPU time of this thread, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** State shared by the operations of a patch. */
interface Patching {
  readonly meter: Meter;
  readonly draft: Draft;
  readonly depth: number;
}

function applyOne(root: Json, operation: Json, { meter, draft, depth }: Patching): Json {
  if (!isObject(operation)) throw syntaxError(`an operation must be an object, not ${kindOf(operation)}`);
  const op = own(operation, 'op');
  const path = pointerOf(operation, 'path');
  const at = depth + path.length;
  switch (op) {
    case 'add':
      return addAt(root, path, meter.checkDepth(valueOf(operation), at), draft);
    case 'replace': {
      const value = meter.checkDepth(valueOf(operation), at);
      if (typeof value !== 'object') return replaceAt(root, path, value, draft);
      draft.clear(); // Values that are hashed, measured or shared must not be modified in place.
      return replaceAt(root, path, shareSubtrees(getAt(root, path), value), draft);
    }
    case 'remove':
      return removeAt(root, path, draft);
    case 'copy':
    case 'move': {
      const from = pointerOf(operation, 'from');
      const value = getAt(root, from);
      if (value === undefined) throw pathError(`${formatPointer(from)} does not exist`, 404);
      draft.clear();
      meter.checkDepth(value, at);
      if (op === 'copy') return addAt(root, path, meter.countCopy(value), draft);
      if (path.length > from.length && from.every((segment, i) => segment === path[i])) {
        throw pathError(`${formatPointer(from)} cannot be moved into itself`);
      }
      return addAt(removeAt(root, from, draft), path, value, draft);
    }
    case 'test':
      if (!jsonEqual(getAt(root, path), valueOf(operation))) {
        const message = `the value at ${formatPointer(path) || '/'} does not equal the value of the test operation`;
        throw new SluiceError('ERR_PATCH_TEST', message, { status: 409 });
      }
      return root;
    default:
      throw syntaxError(`op must be add, remove, replace, move, copy or test, not ${JSON.stringify(op ?? null)}`);
  }
}

/** Limits the size of a patch result. Sizes are cached, so shared nodes are visited only once. */
class Meter {
  readonly #measured = new Map<object, { readonly depth: number; readonly nodes: number }>();
  #copied = 0;

  checkDepth(value: Json, at: number): Json {
    const { depth } = this.#measure(value);
    if (at + depth > maxDepth)
      throw syntaxError(`the result would be nested ${at + depth} levels deep; the maximum is ${maxDepth}`);
    return value;
  }

  countCopy(value: Json): Json {
    this.#copied += this.#measure(value).nodes;
    if (this.#copied > maxCopiedNodes) throw syntaxError(`the patch copies more than ${maxCopiedNodes} values`);
    return value;
  }

  #measure(value: Json): { readonly depth: number; readonly nodes: number } {
    if (typeof value !== 'object' || value === null) return scalar;
    const known = this.#measured.get(value);
    if (known !== undefined) return known;
    let depth = 0;
    let nodes = 1;
    for (const child of Object.values<Json>(value)) {
      const inner = this.#measure(child);
      depth = Math.max(depth, inner.depth);
      nodes += inner.nodes;
    }
    const measure = { depth: depth + 1, nodes };
    this.#measured.set(value, measure);
    return measure;
  }
}

const scalar = { depth: 0, nodes: 1 };

function pointerOf(operation: JsonObject, key: 'path' | 'from'): ConfigPath {
  const pointer = own(operation, key);
  if (typeof pointer !== 'string') throw syntaxError(`${key} must be a JSON Pointer string, not ${kindOf(pointer)}`);
  return parsePointer(pointer);
}

function valueOf(operation: JsonObject): Json {
  const value = own(operation, 'value');
  if (value === undefined) throw syntaxError('value is missing');
  return value;
}

/**
 * Applies a JSON Merge Patch. Objects are merged, `null` removes a key, and other values replace the target. Unchanged parts remain the
 * same nodes.
 */
export function applyMergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const source: JsonObject = isObject(target) ? target : {};
  const merged: Record<string, Json> = { ...source };
  let changed = !isObject(target);
  for (const key of Object.keys(patch)) {
    const value = own(patch, key) as Json;
    if (value === null) {
      if (!Object.hasOwn(merged, key)) continue;
      delete merged[key];
      changed = true;
      continue;
    }
    const before = own(source, key);
    const after = applyMergePatch(before, value);
    if (before !== undefined && jsonEqual(before, after)) continue;
    Object.defineProperty(merged, key, { value: after, enumerable: true, configurable: true, writable: true });
    changed = true;
  }
  return changed ? merged : (target as Json);
}
