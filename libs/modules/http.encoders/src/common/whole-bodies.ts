/** Encodes complete bodies. Short bodies are encoded synchronously, and longer bodies outside of the event loop. */
import { AtOnce, maxAtOnce } from './at-once.ts';
import { StreamPool, type ReusableStream } from './stream-pool.ts';

export class WholeBodies {
  readonly #create: () => ReusableStream;
  readonly #finish: number;
  readonly #pool: StreamPool;
  #atOnce: AtOnce | null = null;

  /** `create` returns a stream that encodes one complete body per write. `finish` is the flush operation that marks the end of a body. */
  constructor(create: () => ReusableStream, finish: number) {
    this.#create = create;
    this.#finish = finish;
    this.#pool = new StreamPool(create);
  }

  /** Encodes a body. The caller must not change the body until the result is available. */
  encode(body: Buffer): Buffer | Promise<Buffer> {
    return this.encodeAtOnce(body) ?? this.#pool.encode(body);
  }

  /** Encodes a short body. The caller may reuse its memory immediately. Returns `null` if the body can't be encoded synchronously. */
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
