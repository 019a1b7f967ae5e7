/** Operations of `uri query`: `KEY VALUE`, `+KEY VALUE`, `-KEY`, `KEY>NEW`, `KEY FIND REPLACEMENT`. */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json, JsonObject } from '@sluice/base';

/** Collects operations. */
export class QueryOperations {
  readonly #rename: Json[] = [];
  readonly #set: Json[] = [];
  readonly #add: Json[] = [];
  readonly #replace: Json[] = [];
  readonly #delete: string[] = [];

  /** Adds the operation of a line. */
  add(words: readonly string[], reader: Dispenser): void {
    const [key = '', value, replace] = words;
    const arrow = key.indexOf('>');
    if (key.startsWith('-')) {
      if (words.length !== 1) throw reader.argumentError();
      this.#delete.push(key.slice(1));
    } else if (key.startsWith('+')) {
      if (words.length !== 2) throw reader.argumentError();
      this.#add.push(compact({ key: key.slice(1), val: value }));
    } else if (arrow >= 0) {
      if (words.length !== 1) throw reader.argumentError();
      this.#rename.push({ key: key.slice(0, arrow), val: key.slice(arrow + 1) });
    } else if (replace !== undefined) {
      this.#replace.push(compact({ key, search_regexp: value, replace }));
    } else {
      if (words.length !== 2) throw reader.argumentError();
      this.#set.push(compact({ key, val: value }));
    }
  }

  /** The operations as options have them. */
  json(): JsonObject {
    return compact({
      rename: this.#rename,
      set: this.#set,
      add: this.#add,
      replace: this.#replace,
      delete: this.#delete,
    });
  }
}
