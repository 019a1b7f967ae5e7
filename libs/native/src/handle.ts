/** Objects of C: each is owned by one object here, which frees it once. */

/** Frees handles that were dropped without being freed: a defect, but not a leak. */
const forgotten = new FinalizationRegistry<{ readonly address: bigint; readonly free: (address: bigint) => void }>(
  ({ address, free }) => free(address),
);

/** An object of C. */
export class Handle {
  #address: bigint;
  readonly #free: (address: bigint) => void;

  /** Takes ownership. Throws `failure` if the address is null, as C says that it could not make the object. */
  constructor(address: bigint, free: (address: bigint) => void, failure: () => Error) {
    if (address === 0n) throw failure();
    this.#address = address;
    this.#free = free;
    forgotten.register(this, { address, free }, this);
  }

  /** The address, for one call. Throws once it was freed. */
  get address(): bigint {
    if (this.#address === 0n) throw new Error('a handle is used after it was freed');
    return this.#address;
  }

  get freed(): boolean {
    return this.#address === 0n;
  }

  /** Idempotent. */
  free(): void {
    if (this.#address === 0n) return;
    const address = this.#address;
    this.#address = 0n;
    forgotten.unregister(this);
    this.#free(address);
  }
}
