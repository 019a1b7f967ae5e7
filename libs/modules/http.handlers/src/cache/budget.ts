/** Memory of a thread for bodies that are being stored. */
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

  /** Returns reserved bytes. */
  give(bytes: number): void {
    this.#used -= bytes;
  }
}
