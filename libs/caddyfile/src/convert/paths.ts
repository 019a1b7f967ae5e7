/** JSON paths of the values in a document. */
import { isArray, isObject, type Json } from '@sluice/base';

/** Maps the objects in a document to their JSON paths, by object identity. */
export class Paths {
  readonly #paths = new Map<Json, string>();

  constructor(document: Json) {
    this.#walk(document, '');
  }

  of(value: Json): string {
    return this.#paths.get(value) ?? '';
  }

  #walk(value: Json, path: string): void {
    if (isArray(value)) {
      for (const [at, each] of value.entries()) this.#walk(each, `${path}[${at}]`);
    } else if (isObject(value)) {
      this.#paths.set(value, path);
      for (const [key, each] of Object.entries(value)) this.#walk(each, path === '' ? key : `${path}.${key}`);
    }
  }
}
