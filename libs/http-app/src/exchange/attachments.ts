/** Values that modules attach to an exchange, by key, so that the exchange doesn't depend on the modules. */

declare const instance: unique symbol;

/** Key for an attached value of type `T`. Keys with the same name are distinct. */
export interface AttachmentKey<T> {
  readonly name: string;
  readonly [instance]?: T;
}

/** Creates a key. Call it once, when the module is defined. */
export function attachmentKey<T>(name: string): AttachmentKey<T> {
  return Object.freeze({ name });
}

/** The attachments of one exchange, as a linked list, because there is rarely more than one. */
export class Attachment {
  readonly #key: AttachmentKey<unknown>;
  #value: unknown;
  #next: Attachment | null = null;

  constructor(key: AttachmentKey<unknown>, value: unknown) {
    this.#key = key;
    this.#value = value;
  }

  get<T>(key: AttachmentKey<T>): T | undefined {
    return this.#key === key ? (this.#value as T) : this.#next?.get(key);
  }

  set<T>(key: AttachmentKey<T>, value: T): void {
    if (this.#key === key) this.#value = value;
    else if (this.#next === null) this.#next = new Attachment(key, value);
    else this.#next.set(key, value);
  }
}
