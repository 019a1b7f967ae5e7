/**
 * Encodes complete bodies with a pool of reused zlib streams. A new stream allocates a quarter of a megabyte. With a new stream per
 * response, garbage collection would take a fifth of the CPU time.
 */
import type { Transform } from 'node:stream';
import { guarded, reportFault, type Guarded } from '@sluice/base';

export interface ReusableStream extends Transform {
  reset(): void;
}

/** Maximum number of concurrent streams. More would not help, because the thread pool has four threads. */
const maxStreams = 8;

interface Job {
  readonly body: Buffer;
  readonly resolve: (encoded: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/** Encodes bodies outside of the event loop. */
export class StreamPool {
  readonly #create: () => ReusableStream;
  #idle: Worker[] = [];
  #waiting: Job[] = [];
  #count = 0;
  #closed = false;

  constructor(create: () => ReusableStream) {
    this.#create = create;
  }

  /** Encodes a body. The caller must not change the body until the result is available. */
  encode(body: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const job = { body, resolve, reject };
      const worker = this.#idle.pop() ?? (this.#count < maxStreams ? this.#add() : null);
      if (worker === null) this.#waiting.push(job);
      else worker.run(job);
    });
  }

  /** Closes the streams. Streams in use finish their current body first. */
  close(): void {
    this.#closed = true;
    for (const worker of this.#idle) worker.close();
    this.#count -= this.#idle.length;
    this.#idle = [];
  }

  #add(): Worker {
    this.#count++;
    return new Worker(this.#create(), this.#onDone);
  }

  readonly #onDone = (worker: Worker, usable: boolean): void => {
    const next = this.#waiting.shift();
    if (!usable) {
      this.#count--;
      if (next !== undefined) this.#add().run(next);
    } else if (next !== undefined) worker.run(next);
    else if (this.#closed) {
      this.#count--;
      worker.close();
    } else this.#idle.push(worker);
  };
}

class Worker implements Guarded {
  readonly #stream: ReusableStream;
  readonly #onDone: (worker: Worker, usable: boolean) => void;
  #job: Job | null = null;
  #chunks: Buffer[] = [];

  constructor(stream: ReusableStream, onDone: (worker: Worker, usable: boolean) => void) {
    this.#stream = stream;
    this.#onDone = onDone;
    stream.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    stream.on(
      'error',
      guarded(this, (error: Error) => this.#fail(error)),
    );
  }

  run(job: Job): void {
    this.#job = job;
    this.#stream.write(job.body, this.#onWritten);
  }

  close(): void {
    this.#stream.destroy();
  }

  /** Called when the body is encoded and all output has been read. */
  readonly #onWritten = guarded(this, (error?: Error | null) => {
    if (error != null) return;
    const job = this.#job as Job;
    const chunks = this.#chunks;
    this.#job = null;
    this.#chunks = [];
    this.#stream.reset();
    const [only] = chunks;
    job.resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
    this.#onDone(this, true);
  });

  /** Handles an exception in a stream callback by failing the current body and discarding the stream. */
  fault(error: unknown): void {
    reportFault({ part: 'task', error, module: 'http.encoders' });
    this.#fail(error as Error);
  }

  #fail(error: Error): void {
    const job = this.#job;
    this.#job = null;
    job?.reject(error);
    if (job !== null) this.#onDone(this, false);
  }
}
