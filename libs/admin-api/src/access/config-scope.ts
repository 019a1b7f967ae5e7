/**
 * The part of the configuration that a client may read or change: paths, and objects by their `@id`. A change is looked
 * at twice: where it is made, and what came of it; so that no way of writing it, such as `POST` to an index, which appends
 * to the array around it, leads outside.
 */
import { diff, getAt, type Engine } from '@sluice/engine';
import type { PatchOperation } from '@sluice/registry';
import { formatWhere, isArray, isSluiceError, parsePointer, type ConfigPath, type Json } from '@sluice/base';

/** A scope, of one method. It follows objects that move: ask it when a change has its turn. */
export class ConfigScope {
  readonly #paths: readonly ConfigPath[];
  readonly #ids: readonly string[];
  readonly #engine: Engine;

  constructor(paths: readonly ConfigPath[], ids: readonly string[], engine: Engine) {
    this.#paths = paths;
    this.#ids = ids;
    this.#engine = engine;
  }

  /** Whether a path lies inside. */
  contains(path: ConfigPath): boolean {
    return [...this.#paths, ...this.#objects()].some((start) => startsWith(path, start));
  }

  /** Whether all that differs between two documents lies inside. The first is the one in force. */
  admits(before: Json, after: Json): boolean {
    const objects = this.#objects();
    return diff(before, after).every(
      (operation) =>
        this.#paths.some((path) => isWithin(operation, path, before)) ||
        objects.some((path) => isWithinObject(operation, path)),
    );
  }

  /** Whether a report may name a module, by where it stands: `apps.http.servers.s`. */
  shows(where: string): boolean {
    return [...this.#paths, ...this.#objects()].some((path) => {
      const start = formatWhere(path);
      return start === '' || where === start || (where.startsWith(start) && /[.[]/.test(where[start.length] ?? ''));
    });
  }

  /** Where the objects are now. */
  #objects(): ConfigPath[] {
    return this.#ids.flatMap((id) => {
      try {
        return [this.#engine.pathOfId(id)];
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
