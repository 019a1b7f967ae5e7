/**
 * Whole bodies through streams of zlib that are used again and again. A new one costs a quarter of a megabyte of tables,
 * which V8 counts as garbage to come: with one per response, a fifth of the time goes into collecting it.
 */
import type { Transform } from 'node:stream';
import { guarded, reportFault, type Guarded } from '@sluice/base';

/** A stream whose every write makes a complete encoded body, after a reset. */
export interface ReusableStream extends Transform {
  reset(): void;
}

/** Streams that work at the same time, at most: the thread pool has four threads. */
const maxStreams = 8;

interface Job {
  readonly body: Buffer;
  readonly resolve: (encoded: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/** Encodes bodies away from the event loop. */
export class StreamPool {
  readonly #create: () => ReusableStream;
  #idle: Worker[] = [];
  #waiting: Job[] = [];
  #count = 0;
  #closed = false;

  constructor(create: () => ReusableStream) {
    this.#create = create;
  }

  /** The encoded form of a body, which must not change meanwhile. */
  encode(body: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const job = { body, resolve, reject };
      const worker = this.#idle.pop() ?? (this.#count < maxStreams ? this.#add() : null);
      if (worker === null) this.#waiting.push(job);
      else worker.run(job);
    });
  }

  /** Lets go of the streams; those that work finish first. */
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

/** One stream and its job. */
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

  /** All of the body is encoded, and all of that has come out. */
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

  /** A callback of the stream has thrown: the body that it encodes fails, and the stream is not used again. */
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
