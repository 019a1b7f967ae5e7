/** Memory of a thread for bodies that are on their way to the store. */
export class Budget {
  readonly #limit: number;
  #used = 0;

  /** `limit` is in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Reserves bytes; returns false if there are not enough. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.#limit) return false;
    this.#used += bytes;
    return true;
  }

  /** Returns bytes that were taken. */
  give(bytes: number): void {
    this.#used -= bytes;
  }
}
