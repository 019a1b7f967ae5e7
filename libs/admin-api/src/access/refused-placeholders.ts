/** Rejects values with forbidden placeholders. For example, `{file.*}` and `{env.*}` would read data that the client may not access. */
import { formatPointer, parsePointer, SluiceError, type Json } from '@sluice/base';

/** Position of a forbidden placeholder in a value. */
export interface RefusedPlace {
  /** JSON Pointer as the client wrote it, truncated to 60 characters. */
  readonly pointer: string;
  readonly placeholder: string;
}

/** Placeholder kinds that a permission forbids. */
export class RefusedPlaceholders {
  /** Placeholder prefixes to search for, such as `{file.`. `null` if no placeholders are forbidden. */
  readonly kinds: readonly string[] | null;

  /** Throws `ERR_VALUE` if a kind is not the first part of a placeholder name. */
  constructor(kinds: readonly string[]) {
    for (const kind of kinds)
      if (kind !== '*' && !/^[a-z_]+(?:\.[a-z_]+)*$/.test(kind))
        throw new SluiceError(
          'ERR_VALUE',
          `refuse_placeholders: ${JSON.stringify(kind)} is not a kind of placeholder: expected "file", "env", "http.request" or "*"`,
        );
    this.kinds = kinds.length === 0 ? null : kinds.includes('*') ? ['{'] : kinds.map((kind) => `{${kind}.`);
  }

  /**
   * Returns the first forbidden placeholder in a value or an object key. Returns `null` if there is none. Searches for the prefix at every
   * position, because nested braces, escapes, and expressions are parsed later.
   */
  findIn(value: Json): RefusedPlace | null {
    return this.kinds === null ? null : this.#find(value, []);
  }

  #find(value: Json, path: string[]): RefusedPlace | null {
    if (typeof value === 'string') return this.#inText(value, path);
    if (typeof value !== 'object' || value === null) return null;
    for (const [key, child] of Object.entries<Json>(value)) {
      path.push(key);
      const found = this.#inText(key, path) ?? this.#find(child, path);
      if (found !== null) return found;
      path.pop();
    }
    return null;
  }

  #inText(text: string, path: readonly string[]): RefusedPlace | null {
    for (const kind of this.kinds ?? []) {
      const at = text.indexOf(kind);
      if (at >= 0) return { pointer: formatPointer(path), placeholder: text.slice(at, at + 60) };
    }
    return null;
  }
}

/** Returns the full path of a forbidden placeholder. The placeholder was found in the value of a patch operation. */
export function placeBelow(operation: string, { pointer }: RefusedPlace): readonly string[] {
  return [...parsePointer(operation), ...parsePointer(pointer)];
}
