/** Whole bodies: short ones at once, others away from the event loop. */
import { AtOnce, maxAtOnce } from './at-once.ts';
import { StreamPool, type ReusableStream } from './stream-pool.ts';

/** Encodes whole bodies with streams of one kind. */
export class WholeBodies {
  readonly #create: () => ReusableStream;
  readonly #finish: number;
  readonly #pool: StreamPool;
  #atOnce: AtOnce | null = null;

  /** `create` makes a stream that makes a complete body of each write; `finish` is the operation that ends a body. */
  constructor(create: () => ReusableStream, finish: number) {
    this.#create = create;
    this.#finish = finish;
    this.#pool = new StreamPool(create);
  }

  /** The encoded form of a body, which must not change meanwhile. */
  encode(body: Buffer): Buffer | Promise<Buffer> {
    return this.encodeAtOnce(body) ?? this.#pool.encode(body);
  }

  /** The encoded form of a short body, whose memory may be used again then; `null` if it can't be had at once. */
  encodeAtOnce(body: Buffer): Buffer | null {
    if (body.length > maxAtOnce) return null;
    this.#atOnce ??= new AtOnce(this.#create(), this.#finish);
    return this.#atOnce.encode(body);
  }

  /** Lets go of the streams; those that work finish first. */
  close(): void {
    this.#pool.close();
    this.#atOnce?.close();
    this.#atOnce = null;
  }
}
