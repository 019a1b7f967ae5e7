/** Stores responses on disk in append-only segment files. If their total size exceeds the limit, the oldest segments are deleted. */
import { close, open, read, unlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { makeDirectorySync, type Logger } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';
import type { KeyHash } from '../store/block-memory.ts';
import { decodeHead, encodeHead, Stored, type StoredHead } from '../store/stored.ts';
import type { DiskIndex, IndexEntry, RecordPlace } from './disk-index.ts';
import {
  encodeRecord,
  isBodyIntact,
  isHeadIntact,
  objectRecord,
  parseRecordHead,
  recordHeadBytes,
  removalRecord,
  varyHash,
  type RecordParts,
} from './record.ts';
import { SegmentWriter } from './segment-writer.ts';
import { recordsOf, segmentPath, segmentsIn, sizeOfSegments } from './segments.ts';

const openFile = promisify(open);
const readFile = promisify(read);
const closeFile = promisify(close);

const maxSegment = 64 * 1024 * 1024;
const minSegment = 512 * 1024;
/** Maximum size of the write queue of each thread, in bytes. */
const maxQueued = 32 * 1024 * 1024;
/** Number of segments into which a full store is divided. */
const segmentCount = 32;
/** Number of records to index per event loop turn. */
const recordsPerTurn = 2000;

export interface DiskSettings {
  readonly path: string;
  readonly size: number;
  readonly log: Logger;
}

export class DiskStore {
  readonly index: DiskIndex;
  readonly #settings: DiskSettings;
  readonly #writer: SegmentWriter;

  constructor(index: DiskIndex, settings: DiskSettings) {
    this.index = index;
    this.#settings = settings;
    const segmentBytes = Math.max(minSegment, Math.min(maxSegment, Math.floor(settings.size / segmentCount)));
    this.#writer = new SegmentWriter({
      directory: settings.path,
      segmentBytes,
      log: settings.log,
      takeNumber: () => index.takeSegmentNumber(),
      maxQueued: Math.min(maxQueued, Math.floor(settings.size / 8)),
      written: (bytes) => {
        index.addSize(bytes);
        this.#makeRoom(0);
      },
    });
  }

  static indexBytes(size: number): number {
    return Math.max(1024 * 1024, Math.floor(size / 64));
  }

  get directory(): string {
    return this.#settings.path;
  }

  /** Reads the segments of the previous process. The control thread must call this method once, before other threads use the index. */
  async load(): Promise<void> {
    if (this.index.isLoaded) return;
    const { path, log } = this.#settings;
    const { index } = this;
    makeDirectorySync(path);
    const segments = segmentsIn(path);
    const found: { sequence: bigint; kind: number; hash: KeyHash; place: RecordPlace }[] = [];
    let last = 0n;
    let count = 0;
    for (const segment of segments)
      for (const { head, offset, key } of recordsOf(segmentPath(path, segment))) {
        const length = recordHeadBytes + head.keyLength + head.metaLength + head.bodyLength;
        const place = { segment, offset, length, vary: head.vary };
        found.push({ sequence: head.sequence, kind: head.kind, hash: index.hashOf(key), place });
        if (head.sequence > last) last = head.sequence;
        if (++count % recordsPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    found.sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
    for (const { kind, hash, place } of found)
      if (kind === objectRecord) index.add(hash, place, true);
      else index.removeAll(hash);
    this.index.size = sizeOfSegments(path);
    this.index.setLoaded(segments[0] ?? 1, (segments.at(-1) ?? 0) + 1, last + 1n);
    if (count > 0) log.info('loaded cache index', { directory: path, objects: this.index.entries });
  }

  has(key: string): boolean {
    return this.index.find(this.index.hashOf(key)).length > 0;
  }

  /** Queues a response to be stored. Does not wait for the disk. */
  put(key: string, head: StoredHead, body: readonly Buffer[]): void {
    const vary = varyHash(head);
    const hash = this.index.hashOf(key);
    let entry: IndexEntry | null = null;
    this.#append(
      {
        kind: objectRecord,
        sequence: this.index.takeSequence(),
        vary,
        key: Buffer.from(key),
        meta: encodeHead(head),
        body,
      },
      (place) => {
        entry = this.#add(hash, { ...place, vary });
      },
      (isWritten) => {
        if (entry === null) return;
        if (isWritten) this.index.setReady(entry);
        else this.index.remove(hash, entry.place);
      },
    );
  }

  /** Removes all responses with the given key. Returns the number of removed responses. */
  remove(key: string): number {
    const hash = this.index.hashOf(key);
    let latest = -1;
    for (const { segment } of this.index.find(hash)) latest = Math.max(latest, segment);
    const count = this.index.removeAll(hash);
    if (count === 0) return 0;
    // The removal record must not be in an older segment than the removed responses, because older segments are deleted first.
    if (latest > this.#writer.current) this.#writer.seal();
    const empty = Buffer.alloc(0);
    const sequence = this.index.takeSequence();
    this.#append(
      { kind: removalRecord, sequence, vary: 0, key: Buffer.from(key), meta: empty, body: [] },
      () => undefined,
      () => undefined,
    );
    return count;
  }

  flush(): void {
    while (this.#dropOldest()) {}
    this.index.sweep();
  }

  /** Seals the current segment after pending writes are complete. */
  close(): void {
    this.#writer.seal();
  }

  /** Loads the response that matches a request. Returns `null` if there is none. */
  async loadKey(key: string, headers: HeaderMap): Promise<{ head: StoredHead; body: Buffer } | null> {
    const hash = this.index.hashOf(key);
    for (const place of this.index.find(hash)) {
      const found = await this.#read(key, place);
      if (found === null) this.index.remove(hash, place);
      else if (found !== 'other' && new Stored(key, found.head, { length: 0, bytes: null, at: 0 }).matches(headers))
        return found;
    }
    return null;
  }

  /** Yields the keys and headers of all stored responses. */
  *objects(): Generator<{ readonly key: string; readonly head: StoredHead; readonly bodyLength: number }> {
    const { path } = this.#settings;
    for (const segment of segmentsIn(path)) {
      if (segment < this.index.firstSegment) continue;
      for (const { head, offset, key, meta } of recordsOf(segmentPath(path, segment))) {
        if (head.kind !== objectRecord) continue;
        const isCurrent = this.index
          .find(this.index.hashOf(key))
          .some((each) => each.segment === segment && each.offset === offset);
        if (isCurrent) yield { key, head: decodeHead(meta), bodyLength: head.bodyLength };
      }
    }
  }

  #append(
    parts: RecordParts,
    placed: (place: Omit<RecordPlace, 'vary'>) => void,
    done: (isWritten: boolean) => void,
  ): void {
    const buffers = encodeRecord(parts);
    let length = 0;
    for (const buffer of buffers) length += buffer.length;
    if (this.#writer.current >= 0 && this.#writer.current < this.index.firstSegment) this.#writer.seal();
    this.#makeRoom(length);
    const place = this.#writer.append(buffers, done);
    if (place !== null) placed({ ...place, length });
  }

  #add(hash: KeyHash, place: RecordPlace): IndexEntry | null {
    const entry = this.index.add(hash, place, false);
    if (entry !== null) return entry;
    this.#dropOldest();
    this.index.sweep();
    return this.index.add(hash, place, false);
  }

  /** Deletes the oldest segments until there is enough space for a record. */
  #makeRoom(length: number): void {
    const limit = this.#settings.size - this.#writer.queued - length;
    if (this.index.size <= limit) return;
    this.index.size = sizeOfSegments(this.#settings.path);
    while (this.index.size > limit && this.#dropOldest()) {}
  }

  /** Deletes the oldest segment. Returns false if there is none. */
  #dropOldest(): boolean {
    const oldest = this.index.firstSegment;
    if (oldest >= this.index.nextSegment) return false;
    if (oldest === this.#writer.current) this.#writer.seal();
    if (this.index.dropSegment(oldest)) {
      try {
        unlinkSync(segmentPath(this.#settings.path, oldest));
      } catch {
        // The file has already been deleted, or was never created.
      }
      this.index.size = sizeOfSegments(this.#settings.path);
    }
    return true;
  }

  /** Reads a record. Returns `other` if the record has a different key. Returns `null` if the record is missing or corrupted. */
  async #read(key: string, place: RecordPlace): Promise<{ head: StoredHead; body: Buffer } | 'other' | null> {
    let file: number;
    try {
      file = await openFile(segmentPath(this.#settings.path, place.segment), 'r');
    } catch {
      return null;
    }
    try {
      const bytes = Buffer.allocUnsafe(place.length);
      const { bytesRead } = await readFile(file, bytes, 0, place.length, place.offset);
      if (bytesRead < place.length) return null;
      const head = parseRecordHead(bytes);
      if (head === null || head.kind !== objectRecord || !isHeadIntact(bytes, 0, head)) return null;
      const metaAt = recordHeadBytes + head.keyLength;
      const bodyAt = metaAt + head.metaLength;
      const body = bytes.subarray(bodyAt, bodyAt + head.bodyLength);
      if (!isBodyIntact(body, head)) return null;
      if (bytes.toString('utf8', recordHeadBytes, metaAt) !== key) return 'other';
      return { head: decodeHead(bytes.subarray(metaAt, bodyAt)), body };
    } finally {
      await closeFile(file);
    }
  }
}
