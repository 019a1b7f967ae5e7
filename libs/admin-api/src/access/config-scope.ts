/**
 * Part of the configuration that a client may read or change, defined by paths and `@id` objects. Checks both the target and the result of
 * a change. For example, a `POST` to an array index appends to the enclosing array, which may be outside the scope.
 */
import { diff, getAt, type Reconciler } from '@sluice/reconciler';
import type { PatchOperation } from '@sluice/registry';
import { placeBelow, type RefusedPlaceholders } from './refused-placeholders.ts';
import { formatWhere, isArray, isSluiceError, parsePointer, type ConfigPath, type Json } from '@sluice/base';

/** Part of a scope that one permission grants. */
export interface ScopePart {
  readonly paths: readonly ConfigPath[];
  readonly ids: readonly string[];
  readonly refused: RefusedPlaceholders;
}

/** Configuration scope for one HTTP method. Evaluate the scope when the change runs, because `@id` objects may move. */
export class ConfigScope {
  readonly #parts: readonly ScopePart[];
  readonly #reconciler: Reconciler;

  constructor(parts: readonly ScopePart[], reconciler: Reconciler) {
    this.#parts = parts;
    this.#reconciler = reconciler;
  }

  contains(path: ConfigPath): boolean {
    return this.#starts().some((start) => startsWith(path, start));
  }

  /**
   * Compares the active document with a changed document. Returns a description of the first forbidden difference. Returns `null` if all
   * differences are allowed.
   */
  refusal(before: Json, after: Json): string | null {
    const parts = this.#parts.map((part) => ({ ...part, objects: this.#objects(part.ids) }));
    for (const operation of diff(before, after)) {
      const admitting = parts.filter(
        ({ paths, objects }) =>
          paths.some((path) => isWithin(operation, path, before)) ||
          objects.some((path) => isWithinObject(operation, path)),
      );
      if (admitting.length === 0) return 'the change is outside the scope of the token';
      if (operation.op === 'remove') continue;
      const found = admitting.map(({ refused }) => refused.findIn(operation.value));
      const [first] = found;
      if (first != null && !found.includes(null))
        return `${formatWhere(placeBelow(operation.path, first))}: the scope of the token does not allow placeholders such as ${first.placeholder}`;
    }
    return null;
  }

  /** Returns true if a report for the client may include the module at a path such as `apps.http.servers.s`. */
  shows(where: string): boolean {
    return this.#starts().some((path) => {
      const start = formatWhere(path);
      return start === '' || where === start || (where.startsWith(start) && /[.[]/.test(where[start.length] ?? ''));
    });
  }

  #starts(): ConfigPath[] {
    return this.#parts.flatMap(({ paths, ids }) => [...paths, ...this.#objects(ids)]);
  }

  #objects(ids: readonly string[]): ConfigPath[] {
    return ids.flatMap((id) => {
      try {
        return [this.#reconciler.pathOfId(id)];
      } catch (error) {
        if (isSluiceError(error)) return [];
        throw error;
      }
    });
  }
}

/**
 * Reports whether a patch operation is within a path. Inserting or removing an array element moves its siblings. Clients with access to a
 * single index may therefore only replace the element.
 */
function isWithin(operation: PatchOperation, path: ConfigPath, before: Json): boolean {
  const at = parsePointer(operation.path);
  if (!startsWith(at, path)) return false;
  return at.length > path.length || operation.op === 'replace' || !isArray(getAt(before, path.slice(0, -1)));
}

/**
 * Reports whether a patch operation applies to an object with an `@id` or to the contents of such an object. Returns false for an insertion
 * at the position of the object, because it creates a different object.
 */
function isWithinObject(operation: PatchOperation, path: ConfigPath): boolean {
  const at = parsePointer(operation.path);
  return startsWith(at, path) && (at.length > path.length || operation.op !== 'add');
}

export function startsWith(path: ConfigPath, start: ConfigPath): boolean {
  return path.length >= start.length && start.every((segment, i) => segment === path[i]);
}
