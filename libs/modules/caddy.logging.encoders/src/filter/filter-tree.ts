/** Log field filters by field path. If a field has a filter, the filters of its child fields do not run. */
import type { LogFieldFilter } from '@sluice/contracts';

type Fields = Readonly<Record<string, unknown>>;

/** A level in the tree of field filters. */
export class FilterTree {
  readonly #children = new Map<string, FilterTree>();
  #filter: LogFieldFilter | null = null;

  add(path: readonly string[], filter: LogFieldFilter): void {
    const [key, ...rest] = path;
    if (key === undefined) {
      this.#filter = filter;
      return;
    }
    let child = this.#children.get(key);
    if (child === undefined) this.#children.set(key, (child = new FilterTree()));
    child.add(rest, filter);
  }

  apply(fields: Fields): Fields {
    const copy: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(fields)) {
      const child = this.#children.get(key);
      if (child === undefined) copy[key] = value;
      else child.#put(copy, key, value);
    }
    return copy;
  }

  #put(copy: Record<string, unknown>, key: string, value: unknown): void {
    if (this.#filter !== null) {
      const result = this.#filter.filter(key, value);
      if (result !== null) copy[result.key] = result.value;
    } else copy[key] = isFields(value) ? this.apply(value) : value;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
