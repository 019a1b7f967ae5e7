/**
 * The part of the configuration that a client may read or change: paths, and objects by `@id`. Both the target and the
 * result of a change are checked. A `POST` to an index, for example, appends to the enclosing array, which may be
 * outside.
 */
import { diff, getAt, type Reconciler } from '@sluice/reconciler';
import type { PatchOperation } from '@sluice/registry';
import { placeBelow, type RefusedPlaceholders } from './refused-placeholders.ts';
import { formatWhere, isArray, isSluiceError, parsePointer, type ConfigPath, type Json } from '@sluice/base';

/** Rights from one permission. */
export interface ScopePart {
  readonly paths: readonly ConfigPath[];
  readonly ids: readonly string[];
  readonly refused: RefusedPlaceholders;
}

/** The scope for one method. Evaluate it when the change runs, because objects may move. */
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
   * Describes the forbidden part of the difference between two documents; `null` if the whole difference is allowed. The first document is
   * the active one.
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
        return `${formatWhere(placeBelow(operation.path, first))}: the scope does not allow placeholders such as ${first.placeholder}`;
    }
    return null;
  }

  /** Reports whether a report may name the module at a path such as `apps.http.servers.s`. */
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
 * Reports whether an operation is within the scope. Inserting or removing an element moves its siblings, so clients
 * with access to a single index may only replace its element.
 */
function isWithin(operation: PatchOperation, path: ConfigPath, before: Json): boolean {
  const at = parsePointer(operation.path);
  if (!startsWith(at, path)) return false;
  return at.length > path.length || operation.op === 'replace' || !isArray(getAt(before, path.slice(0, -1)));
}

/** Reports whether an operation is within an object. An insertion at its position creates a different object. */
function isWithinObject(operation: PatchOperation, path: ConfigPath): boolean {
  const at = parsePointer(operation.path);
  return startsWith(at, path) && (at.length > path.length || operation.op !== 'add');
}

export function startsWith(path: ConfigPath, start: ConfigPath): boolean {
  return path.length >= start.length && start.every((segment, i) => segment === path[i]);
}
