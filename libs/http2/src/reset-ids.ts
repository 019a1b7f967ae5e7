/** IDs of streams that the server has reset. Frames for such a stream may still be in flight. They are not a client error (RFC 9113 §5.1). */

/** Maximum number of stored stream IDs. */
const remembered = 64;

/** Ring buffer of the most recently reset stream IDs. */
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
