/** Placeholders forbidden in values: `{file.*}` and `{env.*}` would read data that the client may not access. */
import { formatPointer, parsePointer, SluiceError, type Json } from '@sluice/base';

/** Position of a forbidden placeholder in a value. */
export interface RefusedPlace {
  /** Pointer as written, truncated to 60 characters. */
  readonly pointer: string;
  readonly placeholder: string;
}

/** Kinds of placeholders that a permission forbids. */
export class RefusedPlaceholders {
  /** Prefixes to search for, for example `{file.`; `null` for none. */
  readonly kinds: readonly string[] | null;

  /** Throws ERR_VALUE if a kind is not the start of a placeholder name. */
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
   * Returns the first forbidden placeholder in a value, including keys; `null` if there is none. Searches for the
   * prefix anywhere, because nested braces, escapes and expressions are parsed later.
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

/** Returns the path of a forbidden placeholder below an operation's path. */
export function placeBelow(operation: string, { pointer }: RefusedPlace): readonly string[] {
  return [...parsePointer(operation), ...parsePointer(pointer)];
}
