/** Values that modules attach to an exchange, each under a key. Because of the keys, the exchange does not depend on these modules. */

declare const instance: unique symbol;

/** Key for an attached value of type `T`. Two keys are distinct even if they have the same name. */
export interface AttachmentKey<T> {
  readonly name: string;
  readonly [instance]?: T;
}

/** Creates a key. Call this function once, when the module is defined. */
export function attachmentKey<T>(name: string): AttachmentKey<T> {
  return Object.freeze({ name });
}

/** Attachments of one exchange. They form a linked list, because there is rarely more than one. */
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
