/** JSON object under construction while a block is parsed. Like {@link compact}, it omits empty values. */
import { isObject, type Json, type JsonObject, itemAt } from '@sluice/base';
import { isEmpty } from '../json.ts';
import { valueAt } from '../inverse/json-parts.ts';

/** Path of an option value: the keys that lead from the object to the value. */
export type Path = readonly string[];

/** Splits a dotted field name, such as `keep_alive.idle_timeout`, into a path. */
export function pathOf(field: string): Path {
  return field === '' ? [] : field.split('.');
}

/** Fields by path. */
export class Draft {
  readonly fields: Record<string, Json>;
  #seen: Set<string> | null = null;
  #touched: Set<string> | null = null;
  readonly #keepsEmpty: boolean;

  /** If `keepsEmpty` is true, the draft keeps empty values. */
  constructor(fields: Record<string, Json> = {}, keepsEmpty = false) {
    this.fields = fields;
    this.#keepsEmpty = keepsEmpty;
  }

  /** Options that have occurred in the block and may occur only once. */
  get seen(): Set<string> {
    return (this.#seen ??= new Set());
  }

  get(path: Path): Json | undefined {
    return valueAt(this.fields, path);
  }

  /** Sets a field. Unless `keep` is set, an empty value removes the field. If the parent object then has no fields, removes the parent too. */
  put(path: Path, value: Json, keep = false): void {
    const around = path.slice(0, -1);
    const key = path.at(-1) ?? '';
    if (keep || this.#keepsEmpty || !isEmpty(value)) {
      this.#holder(around)[key] = value;
      return;
    }
    const holder = valueAt(this.fields, around);
    if (!isObject(holder)) return;
    Reflect.deleteProperty(holder, key);
    if (around.length > 0 && this.#touched?.has(around.join('.')) !== true) this.put(around, holder);
  }

  /** Keeps the object at a path even if it has no fields. */
  touch(path: Path): void {
    this.#holder(path);
    (this.#touched ??= new Set()).add(path.join('.'));
  }

  #holder(path: Path): Record<string, Json> {
    let holder = this.fields;
    for (const each of path) {
      const inner = isObject(holder[each]) ? holder[each] : {};
      holder[each] = inner;
      holder = inner;
    }
    return holder;
  }

  /** Appends values to the list at a path. */
  push(path: Path, values: readonly Json[]): void {
    const known = this.get(path);
    this.put(path, [...(Array.isArray(known) ? (known as readonly Json[]) : []), ...values]);
  }
}

/** Returns the field at a path. For an empty path, returns the object. */
export function fieldAt(fields: JsonObject, path: Path): Json | undefined {
  return path.length === 1
    ? Object.hasOwn(fields, itemAt(path, 0))
      ? fields[itemAt(path, 0)]
      : undefined
    : valueAt(fields, path);
}
