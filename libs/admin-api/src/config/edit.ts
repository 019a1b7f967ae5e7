/**
 * Applies each HTTP method to the configuration document, like Caddy's `/config/[path]`. Each function returns the new document or throws a
 * {@link RequestError} with a status. Unchanged nodes are reused.
 */
import { addAt, removeAt, replaceAt, shareSubtrees, getAt } from '@sluice/reconciler';
import {
  formatPointer,
  isArray,
  isObject,
  kindOf,
  maxDepth,
  own,
  parseIndex,
  type ConfigPath,
  type Json,
  type JsonArray,
  type ParsedJson,
  itemAt,
} from '@sluice/base';
import { RequestError, traversalError } from '../errors.ts';
import { tooDeep } from '../http/json-body.ts';
import { readStrictly, type ReadStatuses } from './read.ts';

/** Status codes for a change if a value is missing before the last segment of the path. */
const whenChanging: ReadStatuses = { status: 500, precise: 404 };

/**
 * Handles POST: sets a key or appends to an array. If the path addresses an array index, appends to the enclosing array. If `bulk` is set,
 * appends each element of the body.
 */
export function post(document: Json, path: ConfigPath, body: ParsedJson, bulk: boolean): Json {
  if (path.length === 0) return shareSubtrees(document, body.value);
  const parent = enclosing(document, path);
  const target = isArray(parent) ? elementOrItself(parent, path) : path;
  const now = getAt(document, target);
  if (!isArray(now)) {
    checkDepth(target, body);
    return addAt(document, target, shareSubtrees(now, body.value));
  }
  checkDepth(target, body, bulk ? 0 : 1);
  if (!bulk) return replaceAt(document, target, [...now, body.value]);
  if (!isArray(body.value))
    throw traversalError(`the body must be an array of elements to append, not ${kindOf(body.value)}`, 500, 400);
  return body.value.length === 0 ? document : replaceAt(document, target, now.concat(body.value));
}

/** Handles PUT: inserts at an array index, or creates a key and its missing parent objects. An existing key is a conflict (409). */
export function put(document: Json, path: ConfigPath, body: ParsedJson): Json {
  checkDepth(path, body);
  if (path.length === 0) {
    if (document !== null) throw exists(path);
    return body.value;
  }
  return create(document, path, 0, body.value);
}

/** Handles PATCH: replaces an existing value. A missing key is an error with status 404. */
export function patch(document: Json, path: ConfigPath, body: ParsedJson): Json {
  checkDepth(path, body);
  const now = existing(document, path);
  return path.length === 0 ? shareSubtrees(now, body.value) : replaceAt(document, path, shareSubtrees(now, body.value));
}

/** Handles DELETE: removes an existing value. A missing key is an error with status 404. */
export function remove(document: Json, path: ConfigPath): Json {
  existing(document, path);
  return removeAt(document, path);
}

/** Returns the existing value that a PATCH or DELETE request addresses. */
function existing(document: Json, path: ConfigPath): Json {
  const value = readStrictly(document, path, whenChanging);
  const last = path.at(-1);
  const parent = last === undefined ? null : enclosing(document, path);
  const missing = last === undefined ? document === null : isObject(parent) && !Object.hasOwn(parent, last);
  if (missing) throw new RequestError('ERR_ADMIN_PATH', `${shown(path)} does not exist`, { status: 404 });
  return value;
}

function enclosing(document: Json, path: ConfigPath): Json {
  const outer = path.slice(0, -1);
  const parent = readStrictly(document, outer, whenChanging);
  const kind = getAt(document, outer) === undefined ? 'missing' : kindOf(parent);
  if (!isObject(parent) && !isArray(parent)) {
    throw traversalError(
      `${shown(outer)} is ${kind}; cannot look up ${JSON.stringify(path.at(-1))} in it`,
      500,
      kind === 'missing' ? 404 : 400,
    );
  }
  return parent;
}

/** Returns the target path of a POST request. For an array index, the target is the enclosing array, unless the element itself is an array. */
function elementOrItself(array: JsonArray, path: ConfigPath): ConfigPath {
  return isArray(array[parseIndex(path.at(-1) as string)]) ? path : path.slice(0, -1);
}

function create(node: Json, path: ConfigPath, at: number, value: Json): Json {
  const segment = itemAt(path, at);
  const isLast = at === path.length - 1;
  if (isArray(node)) {
    const index = parseIndex(segment);
    const limit = isLast ? node.length : node.length - 1;
    if (index < 0 || index > limit) {
      throw traversalError(
        `${shown(path.slice(0, at))} has ${node.length} elements; the index must be from 0 to ${limit}, not ${JSON.stringify(segment)}`,
        500,
        index < 0 ? 400 : 404,
      );
    }
    if (isLast) return addAt(node, [segment], value);
    const element = itemAt(node, index);
    // A change creates missing object keys but not missing array elements.
    if (element === null)
      throw traversalError(`${shown(path.slice(0, at + 1))} is null; cannot create a value in it`, 500, 400);
    return replaceAt(node, [segment], create(element, path, at + 1, value));
  }
  if (!isObject(node) && node !== null) {
    throw traversalError(
      `${shown(path.slice(0, at))} is ${kindOf(node)}; cannot create ${JSON.stringify(segment)} in it`,
      500,
      400,
    );
  }
  const object = node ?? {};
  if (isLast && Object.hasOwn(object, segment)) throw exists(path);
  return addAt(object, [segment], isLast ? value : create(own(object, segment) ?? null, path, at + 1, value));
}

function exists(path: ConfigPath): Error {
  return new RequestError(
    'ERR_ADMIN_CONFLICT',
    `${shown(path)} already exists: use PATCH to replace it; PUT only creates`,
    {
      status: 409,
    },
  );
}

/** Throws if the resulting document would exceed the maximum nesting depth. `extra` adds one level if the value will be placed in an array. */
function checkDepth(path: ConfigPath, { depth }: ParsedJson, extra = 0): void {
  if (path.length + depth + extra > maxDepth) throw tooDeep(path.length + depth + extra);
}

function shown(path: ConfigPath): string {
  return `/config${formatPointer(path)}`;
}
