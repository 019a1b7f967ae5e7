/** The `@id` index, which maps identifiers to paths. It is updated incrementally, at a cost proportional to the change. */
import {
  pathError,
  SluiceError,
  idKey,
  isArray,
  isObject,
  kindOf,
  own,
  type Json,
  type JsonObject,
  formatPointer,
  formatWhere,
  type ConfigPath,
} from '@sluice/base';
import { visitChangedObjects } from './diff.ts';
import { getAt } from './tree.ts';

/** A planned update of the index; see {@link IdIndex.plan}. */
export interface IdChange {
  readonly gone: ReadonlyMap<string, ConfigPath>;
  readonly come: ReadonlyMap<string, ConfigPath>;
}

/** Finds objects by `@id`. Array elements can move, so stored paths are only hints that are verified when they are used. */
export class IdIndex {
  readonly #paths = new Map<string, ConfigPath>();

  /** Validates the identifiers in a changed document. Each identifier must be a unique string or number. Doesn't modify the index. */
  plan(before: Json, after: Json): IdChange {
    const gone = new Map<string, ConfigPath>();
    const come = new Map<string, ConfigPath>();
    visitChangedObjects(before, after, (object, path, isGone) => {
      const id = idOf(object, path, !isGone);
      if (id === null) return;
      if (isGone) {
        gone.set(id, [...path]);
        return;
      }
      const other = come.get(id);
      if (other !== undefined) throw duplicate(id, other, path);
      come.set(id, [...path]);
    });
    for (const [id, path] of come) {
      if (!gone.has(id) && this.#paths.has(id)) throw duplicate(id, search(after, id, [], path) ?? path, path);
    }
    return { gone, come };
  }

  apply(change: IdChange): void {
    for (const id of change.gone.keys()) this.#paths.delete(id);
    for (const [id, path] of change.come) this.#paths.set(id, path);
  }

  /** Returns the path of the object with the given identifier, or `null` if there is none. */
  find(root: Json, id: string): ConfigPath | null {
    const hint = this.#paths.get(id);
    if (hint === undefined) return null;
    if (carries(getAt(root, hint), id)) return hint;
    const found = search(root, id, []);
    if (found !== null) this.#paths.set(id, found);
    return found;
  }

  /** Returns the path of the object with the given identifier. For an unknown identifier, throws an error with status 404. */
  resolve(root: Json, id: string): ConfigPath {
    const path = this.find(root, id);
    if (path === null)
      throw pathError(`unknown object ID ${JSON.stringify(id)}: no object in the configuration has this @id`, 404);
    return path;
  }
}

function idOf(object: JsonObject, path: ConfigPath, check: boolean): string | null {
  const id = own(object, idKey);
  if (id === undefined) return null;
  if (typeof id === 'string' && id !== '') return id;
  if (typeof id === 'number') return String(id);
  if (check && id !== '') throw idError(path, `@id must be a string or a number, not ${kindOf(id)}`);
  return null;
}

function duplicate(id: string, first: ConfigPath, second: ConfigPath): Error {
  return idError(
    second,
    `duplicate @id ${JSON.stringify(id)}, already used by ${formatWhere(first) || 'the root'}; rename one of them`,
  );
}

/** Creates the error for an invalid `@id`. It has status 400 and a dedicated error code for admin API clients. */
function idError(path: ConfigPath, message: string): SluiceError {
  return new SluiceError('ERR_CONFIG_ID', message, { where: formatWhere(path), status: 400 });
}

function carries(node: Json | undefined, id: string): boolean {
  return isObject(node) && idOf(node, [], false) === id;
}

/** Finds the object with the given identifier. Ignores the object at the path `except`. */
function search(node: Json, id: string, path: string[], except: ConfigPath | null = null): ConfigPath | null {
  if (carries(node, id) && (except === null || formatPointer(path) !== formatPointer(except))) return [...path];
  const keys = isArray(node) ? node.keys() : isObject(node) ? Object.keys(node) : [];
  for (const key of keys) {
    const child = (node as Record<string | number, Json>)[key];
    if (typeof child !== 'object' || child === null) continue;
    path.push(String(key));
    const found = search(child, id, path, except);
    path.pop();
    if (found !== null) return found;
  }
  return null;
}
