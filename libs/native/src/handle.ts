/** Ownership of C objects. Each object has exactly one JavaScript owner, which must free it once. */

/** Frees C objects that their owner did not free. A missing free is a bug, but this prevents a memory leak. */
const forgotten = new FinalizationRegistry<{ readonly address: bigint; readonly free: (address: bigint) => void }>(
  ({ address, free }) => free(address),
);

export class Handle {
  #address: bigint;
  readonly #free: (address: bigint) => void;

  /**
   * Takes ownership of the object at `address`. A null address means that C failed to create the object. In that case, throws the result of
   * `failure`.
   */
  constructor(address: bigint, free: (address: bigint) => void, failure: () => Error) {
    if (address === 0n) throw failure();
    this.#address = address;
    this.#free = free;
    forgotten.register(this, { address, free }, this);
  }

  /** Address of the C object, valid for one call. Throws if the object was freed. */
  get address(): bigint {
    if (this.#address === 0n) throw new Error('use after free of a native handle');
    return this.#address;
  }

  get freed(): boolean {
    return this.#address === 0n;
  }

  free(): void {
    if (this.#address === 0n) return;
    const address = this.#address;
    this.#address = 0n;
    forgotten.unregister(this);
    this.#free(address);
  }
}
