/** Encodes whole bodies: short bodies synchronously, other bodies off the event loop. */
import { AtOnce, maxAtOnce } from './at-once.ts';
import { StreamPool, type ReusableStream } from './stream-pool.ts';

export class WholeBodies {
  readonly #create: () => ReusableStream;
  readonly #finish: number;
  readonly #pool: StreamPool;
  #atOnce: AtOnce | null = null;

  /** `create` returns a stream that encodes one complete body per write. `finish` is the flush operation that ends a body. */
  constructor(create: () => ReusableStream, finish: number) {
    this.#create = create;
    this.#finish = finish;
    this.#pool = new StreamPool(create);
  }

  /** Encodes a body. The body must not change until the result is available. */
  encode(body: Buffer): Buffer | Promise<Buffer> {
    return this.encodeAtOnce(body) ?? this.#pool.encode(body);
  }

  /**
   * Encodes a short body. Its memory may be reused immediately. Returns `null` if it can't be encoded synchronously.
   */
  encodeAtOnce(body: Buffer): Buffer | null {
    if (body.length > maxAtOnce) return null;
    this.#atOnce ??= new AtOnce(this.#create(), this.#finish);
    return this.#atOnce.encode(body);
  }

  close(): void {
    this.#pool.close();
    this.#atOnce?.close();
    this.#atOnce = null;
  }
}
