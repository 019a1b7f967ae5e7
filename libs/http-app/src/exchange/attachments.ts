/** What modules attach to an exchange, each under a key of its own, so that the exchange need not know them. */

declare const instance: unique symbol;

/** A key of a value of type `T`. Two keys of one name are different keys. */
export interface AttachmentKey<T> {
  /** For people who debug. */
  readonly name: string;
  readonly [instance]?: T;
}

/** Makes a key, once, where the module is defined. */
export function attachmentKey<T>(name: string): AttachmentKey<T> {
  return Object.freeze({ name });
}

/** The attachments of one exchange: rarely more than one, so a list is faster than a map. */
export class Attachments {
  readonly #keys: AttachmentKey<unknown>[] = [];
  readonly #values: unknown[] = [];

  get<T>(key: AttachmentKey<T>): T | undefined {
    const at = this.#keys.indexOf(key);
    return at < 0 ? undefined : (this.#values[at] as T);
  }

  set<T>(key: AttachmentKey<T>, value: T): void {
    const at = this.#keys.indexOf(key);
    if (at >= 0) {
      this.#values[at] = value;
      return;
    }
    this.#keys.push(key);
    this.#values.push(value);
  }
}
