/** Streams that we have reset: frames of the client may be on their way, which is not a fault of it (RFC 9113 §5.1). */

/** How many are remembered. */
const remembered = 64;

/** The last ids. */
export class ResetIds {
  readonly #ids = new Int32Array(remembered);
  #count = 0;

  add(id: number): void {
    this.#ids[this.#count++ % remembered] = id;
  }

  has(id: number): boolean {
    return this.#ids.includes(id);
  }
}
