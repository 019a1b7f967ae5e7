/** Appends records to a segment file. Each thread writes to its own segment. */
import { closeSync, openSync, write, writev } from 'node:fs';
import { guarded, messageOf, taskOf, type Logger } from '@sluice/base';
import { segmentPath } from './segments.ts';

/** Maximum number of buffers per write call. */
const maxBuffers = 256;

interface Job {
  readonly buffers: readonly Buffer[];
  readonly done: (isWritten: boolean) => void;
}

interface Segment {
  readonly number: number;
  readonly file: number;
  end: number;
  readonly jobs: Job[];
  isWriting: boolean;
  /** True if no more records may be added to the segment. */
  isSealed: boolean;
}

export interface Place {
  readonly segment: number;
  readonly offset: number;
}

export interface WriterSettings {
  readonly directory: string;
  readonly segmentBytes: number;
  /** Maximum size of the write queue, in bytes. When the queue is full, responses are not stored. */
  readonly maxQueued: number;
  readonly log: Logger;
  readonly takeNumber: () => number;
  /** Called after a write, with the number of bytes written. */
  readonly written: (bytes: number) => void;
}

const task = taskOf('http.handlers.cache');

export class SegmentWriter {
  readonly #settings: WriterSettings;
  #segment: Segment | null = null;
  #queued = 0;
  #isFailing = false;

  constructor(settings: WriterSettings) {
    this.#settings = settings;
  }

  /** Number of the current segment, or -1 if there is none. */
  get current(): number {
    return this.#segment?.number ?? -1;
  }

  /** Size of the data in the write queue, in bytes. */
  get queued(): number {
    return this.#queued;
  }

  /**
   * Queues a record. Returns `null` if the queue is full or writing to disk has failed. Calls `done` when the record has been written or
   * lost.
   */
  append(buffers: readonly Buffer[], done: (isWritten: boolean) => void): Place | null {
    let length = 0;
    for (const buffer of buffers) length += buffer.length;
    if (this.#queued > 0 && this.#queued + length > this.#settings.maxQueued) return null;
    const segment = this.#open(length);
    if (segment === null) return null;
    const place = { segment: segment.number, offset: segment.end };
    segment.end += length;
    segment.jobs.push({ buffers, done });
    this.#queued += length;
    if (!segment.isWriting) this.#write(segment);
    return place;
  }

  /** Seals the current segment. The next record starts a new segment. */
  seal(): void {
    const segment = this.#segment;
    this.#segment = null;
    if (segment === null) return;
    segment.isSealed = true;
    if (!segment.isWriting) closeSync(segment.file);
  }

  #open(length: number): Segment | null {
    const segment = this.#segment;
    if (segment !== null && (segment.end === 0 || segment.end + length <= this.#settings.segmentBytes)) return segment;
    this.seal();
    // A file with this number may already exist if another server uses the same directory. The documentation forbids this.
    for (let attempts = 0; attempts < 100; attempts++) {
      const number = this.#settings.takeNumber();
      try {
        const file = openSync(segmentPath(this.#settings.directory, number), 'wx');
        this.#segment = { number, file, end: 0, jobs: [], isWriting: false, isSealed: false };
        return this.#segment;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
        this.#fail(messageOf(error));
        return null;
      }
    }
    return null;
  }

  #write(segment: Segment): void {
    const { jobs } = segment;
    if (jobs.length === 0) {
      segment.isWriting = false;
      if (segment.isSealed) closeSync(segment.file);
      return;
    }
    segment.isWriting = true;
    const batch: Job[] = [];
    const buffers: Buffer[] = [];
    while (jobs.length > 0 && (batch.length === 0 || buffers.length < maxBuffers)) {
      const job = jobs.shift() as Job;
      batch.push(job);
      buffers.push(...job.buffers);
    }
    let length = 0;
    for (const buffer of buffers) length += buffer.length;
    const finish = guarded(task, (error: NodeJS.ErrnoException | null, count: number) => {
      this.#queued -= length;
      const isWritten = error === null && count === length;
      this.#settings.written(count);
      for (const { done } of batch) done(isWritten);
      if (isWritten) this.#isFailing = false;
      else {
        this.#fail(error === null ? `only ${count} of ${length} bytes were written` : messageOf(error));
        // Drop the remaining records, because their offsets would be wrong.
        for (const job of jobs.splice(0)) {
          for (const buffer of job.buffers) this.#queued -= buffer.length;
          job.done(false);
        }
        if (this.#segment === segment) this.#segment = null;
        segment.isSealed = true;
      }
      this.#write(segment);
    });
    if (buffers.length === 1) write(segment.file, buffers[0] as Buffer, finish);
    else writev(segment.file, buffers, finish);
  }

  #fail(reason: string): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    const { log, directory } = this.#settings;
    log.error('failed to write to the disk cache; storing responses in memory only', {
      directory,
      error: reason,
    });
  }
}
