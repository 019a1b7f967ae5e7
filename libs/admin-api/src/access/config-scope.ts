/**
 * The part of the configuration that a client may read or change: paths, and objects by their `@id`. A change is looked
 * at twice: where it is made, and what came of it; so that no way of writing it, such as `POST` to an index, which appends
 * to the array around it, leads outside.
 */
import { diff, getAt, type Reconciler } from '@sluice/reconciler';
import type { PatchOperation } from '@sluice/registry';
import { placeBelow, type RefusedPlaceholders } from './refused-placeholders.ts';
import { formatWhere, isArray, isSluiceError, parsePointer, type ConfigPath, type Json } from '@sluice/base';

/** What one permission allows. */
export interface ScopePart {
  readonly paths: readonly ConfigPath[];
  readonly ids: readonly string[];
  readonly refused: RefusedPlaceholders;
}

/** A scope, of one method. It follows objects that move: ask it when a change has its turn. */
export class ConfigScope {
  readonly #parts: readonly ScopePart[];
  readonly #reconciler: Reconciler;

  constructor(parts: readonly ScopePart[], reconciler: Reconciler) {
    this.#parts = parts;
    this.#reconciler = reconciler;
  }

  /** Reports whether a path lies inside. */
  contains(path: ConfigPath): boolean {
    return this.#starts().some((start) => startsWith(path, start));
  }

  /**
   * Returns what of the difference between two documents is not allowed, in words; `null` if all is. The first document is
   * the one in force.
   */
  refusal(before: Json, after: Json): string | null {
    const parts = this.#parts.map((part) => ({ ...part, objects: this.#objects(part.ids) }));
    for (const operation of diff(before, after)) {
      const admitting = parts.filter(
        ({ paths, objects }) =>
          paths.some((path) => isWithin(operation, path, before)) ||
          objects.some((path) => isWithinObject(operation, path)),
      );
      if (admitting.length === 0) return 'the change reaches outside of the scope';
      if (operation.op === 'remove') continue;
      const found = admitting.map(({ refused }) => refused.findIn(operation.value));
      const [first] = found;
      if (first != null && !found.includes(null))
        return `${formatWhere(placeBelow(operation.path, first))}: the scope refuses placeholders such as ${first.placeholder}`;
    }
    return null;
  }

  /** Reports whether a report may name a module, by where it stands: `apps.http.servers.s`. */
  shows(where: string): boolean {
    return this.#starts().some((path) => {
      const start = formatWhere(path);
      return start === '' || where === start || (where.startsWith(start) && /[.[]/.test(where[start.length] ?? ''));
    });
  }

  #starts(): ConfigPath[] {
    return this.#parts.flatMap(({ paths, ids }) => [...paths, ...this.#objects(ids)]);
  }

  /** The present places of objects. */
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

/** An element that is inserted or removed moves its siblings: who may change one index may only replace what is there. */
function isWithin(operation: PatchOperation, path: ConfigPath, before: Json): boolean {
  const at = parsePointer(operation.path);
  if (!startsWith(at, path)) return false;
  return at.length > path.length || operation.op === 'replace' || !isArray(getAt(before, path.slice(0, -1)));
}

/** What is inserted at the place of an object is another one. */
function isWithinObject(operation: PatchOperation, path: ConfigPath): boolean {
  const at = parsePointer(operation.path);
  return startsWith(at, path) && (at.length > path.length || operation.op !== 'add');
}

/** Whether a path is another one, or below it. */
export function startsWith(path: ConfigPath, start: ConfigPath): boolean {
  return path.length >= start.length && start.every((segment, i) => segment === path[i]);
}
