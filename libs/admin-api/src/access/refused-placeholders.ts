/** Placeholders that a scope refuses in values: `{file.*}` and `{env.*}` would read what its owner may not. */
import { formatPointer, parsePointer, SluiceError, type Json } from '@sluice/base';

/** A place of a value with a placeholder that is refused. */
export interface RefusedPlace {
  /** JSON pointer within the value. */
  readonly pointer: string;
  /** As it is written, cut after 60 characters. */
  readonly placeholder: string;
}

/** The kinds of placeholders that a permission refuses. */
export class RefusedPlaceholders {
  /** The beginnings to look for, such as `{file.`; `null` for none. */
  readonly kinds: readonly string[] | null;

  /** Throws ERR_VALUE for what is not the beginning of a name. */
  constructor(kinds: readonly string[]) {
    for (const kind of kinds)
      if (kind !== '*' && !/^[a-z_]+(?:\.[a-z_]+)*$/.test(kind))
        throw new SluiceError(
          'ERR_VALUE',
          `refuse_placeholders: ${JSON.stringify(kind)} is not a kind of placeholders: expected "file", "env", "http.request" or "*"`,
        );
    this.kinds = kinds.length === 0 ? null : kinds.includes('*') ? ['{'] : kinds.map((kind) => `{${kind}.`);
  }

  /**
   * The first place in a value, keys included, that has one; `null` for none. Looks for the beginning wherever it stands:
   * braces within braces, escapes and expressions are read by others later, and in other ways.
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

/** The path of a refused placeholder below the place of an operation. */
export function placeBelow(operation: string, { pointer }: RefusedPlace): readonly string[] {
  return [...parsePointer(operation), ...parsePointer(pointer)];
}
