/** GeoIP databases in MaxMind's format, reloaded when the file changes. */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileName, taskOf, unawaited, type Logger } from '@sluice/base';
import { ResourcePool, type Pooled } from '@sluice/registry';
import { Reader, validate, type Response } from 'maxmind';

/** Record of an IP address in a country, city or ASN database, or `null` if there is none. */
export type GeoRecord = Readonly<Record<string, unknown>> | null;

/** Interval between checks for file changes, in milliseconds. */
const checkInterval = 10_000;
const task = taskOf('http.matchers.maxmind_geolocation');
/** Maximum number of cached records. The cache is cleared when it is full. */
const maxRecent = 1000;

/** GeoIP database, with one instance per thread. */
export class GeoDatabase implements Pooled {
  readonly #path: string;
  readonly #log: Logger;
  #reader: Reader<Response>;
  /** Modification time of the loaded database file, in milliseconds since the Unix epoch. */
  #version: number;
  readonly #clock: () => number;
  #checkedAt: number;
  /** Settles when a changed file has been reloaded. `null` if no reload is in progress. */
  reloaded: Promise<void> | null = null;
  readonly #recent = new Map<string, GeoRecord>();

  private constructor(path: string, log: Logger, clock: () => number, { reader, version }: ReadDatabase) {
    this.#path = path;
    this.#log = log;
    this.#reader = reader;
    this.#version = version;
    this.#clock = clock;
    this.#checkedAt = clock();
  }

  /** Opens a GeoIP database. Rejects if the file is missing or invalid. `clock` returns milliseconds. */
  static async open(path: string, log: Logger, clock: () => number = () => performance.now()): Promise<GeoDatabase> {
    return new GeoDatabase(path, log, clock, await read(path));
  }

  find(address: string): GeoRecord {
    const now = this.#clock();
    if (now - this.#checkedAt > checkInterval) this.#check(now);
    const known = this.#recent.get(address);
    if (known !== undefined) return known;
    const record = validate(address) ? (this.#reader.get(address) as GeoRecord) : null;
    if (this.#recent.size >= maxRecent) this.#recent.clear();
    this.#recent.set(address, record);
    return record;
  }

  close(): void {
    this.#recent.clear();
  }

  #check(now: number): void {
    this.#checkedAt = now;
    if (this.reloaded !== null) return;
    const version = statSync(fileName(this.#path), { throwIfNoEntry: false })?.mtimeMs;
    if (version === undefined || version === this.#version) return;
    this.reloaded = this.#reload();
    unawaited(task, this.reloaded);
  }

  async #reload(): Promise<void> {
    try {
      const { reader, version } = await read(this.#path);
      this.#reader = reader;
      this.#version = version;
      this.#recent.clear();
      this.#log.info('reloaded database', { path: this.#path });
    } catch (error) {
      this.#log.error('failed to reload MaxMind database; using the previous version', { path: this.#path, error });
    } finally {
      this.reloaded = null;
    }
  }
}

interface ReadDatabase {
  readonly reader: Reader<Response>;
  readonly version: number;
}

async function read(path: string): Promise<ReadDatabase> {
  // Read the modification time before the file. If the file changes in between, the next check reloads it.
  const version = statSync(fileName(path)).mtimeMs;
  return { reader: new Reader(await readFile(fileName(path))), version };
}

/** GeoIP databases of this thread, keyed by path. Kept across configuration reloads. */
export const geoDatabases: ResourcePool<GeoDatabase> = new ResourcePool();
