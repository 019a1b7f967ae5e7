/** Saves a provider's last fragments on disk, so that a restarted server can use them before the source responds. */
import { readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  dataDirectory,
  fileMode,
  isArray,
  isObject,
  makeDirectory,
  own,
  stageFile,
  valueError,
  type Json,
  type Logger,
} from '@sluice/base';
import type { Fragment } from './contract.ts';

/** Delay before changes are written, in milliseconds. All changes during the delay are written together. */
const writeDelay = 1_000;
/** The file is rewritten once the number of outdated lines exceeds both this limit and the number of fragments. */
const outdatedLines = 256;
/** Number of fragments per write when the file is rewritten. */
const perPiece = 64;

/**
 * File with one fragment per line. A line contains the key and the fragment, or `null` for a removed fragment. Later lines override earlier
 * lines with the same key.
 */
export class StateFile {
  readonly #path: string;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | null = null;
  #write: Promise<void> = Promise.resolve();
  readonly #changed = new Set<string>();
  #fragments: ReadonlyMap<string, Fragment> = new Map();
  /** Number of lines in the file. Infinite if no lines can be appended. */
  #lines = Number.POSITIVE_INFINITY;

  constructor(provider: string, log: Logger, directory: string = join(dataDirectory(), 'providers')) {
    this.#path = join(directory, `${encodeURIComponent(provider)}.json`);
    this.#log = log;
  }

  /**
   * Returns the saved fragments. Returns an empty map if the file is missing or invalid. Blocks the thread, because it runs only once, at
   * startup.
   */
  read(): ReadonlyMap<string, Fragment> {
    try {
      const lines = readFileSync(this.#path, 'utf8').split('\n');
      const fragments = fragmentsOf(lines.slice(0, -1));
      // If the last line has no line feed, the process exited while it was writing the line.
      if (lines.at(-1) === '') this.#lines = lines.length - 1;
      return fragments;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#log.warn('ignored unreadable provider state file', { file: this.#path, error });
      return new Map();
    }
  }

  /**
   * Writes changed fragments after a delay.
   *
   * @param fragments All fragments, at the time of the write.
   */
  save(changed: Iterable<string>, fragments: ReadonlyMap<string, Fragment>): void {
    this.#fragments = fragments;
    for (const key of changed) this.#changed.add(key);
    this.#timer ??= setTimeout(() => void this.flush(), writeDelay).unref();
  }

  /** Writes pending changes immediately. Never rejects. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#write = this.#write.then(() => this.#writeChanges());
    return this.#write;
  }

  async #writeChanges(): Promise<void> {
    const fragments = this.#fragments;
    const changed = [...this.#changed];
    this.#changed.clear();
    if (changed.length === 0) return;
    const lines = this.#lines + changed.length;
    this.#lines = Number.POSITIVE_INFINITY;
    try {
      if (lines > fragments.size + Math.max(fragments.size, outdatedLines)) {
        await makeDirectory(dirname(this.#path));
        await (await stageFile(this.#path, piecesOf(fragments))).commit();
        this.#lines = fragments.size;
      } else {
        const text = changed.map((key) => lineOf(key, fragments.get(key) ?? null)).join('');
        await appendFile(this.#path, text, { mode: fileMode, flush: true });
        this.#lines = lines;
      }
    } catch (error) {
      this.#log.warn('failed to save provider state', { file: this.#path, error });
    }
  }
}

function* piecesOf(fragments: ReadonlyMap<string, Fragment>): Iterable<string> {
  let piece: string[] = [];
  for (const [key, fragment] of fragments) {
    if (piece.push(lineOf(key, fragment)) < perPiece) continue;
    yield piece.join('');
    piece = [];
  }
  yield piece.join('');
}

function lineOf(key: string, fragment: Fragment | null): string {
  return `${JSON.stringify([key, fragment])}\n`;
}

function fragmentsOf(lines: readonly string[]): ReadonlyMap<string, Fragment> {
  const found = new Map<string, Fragment>();
  for (const line of lines) {
    const entry = JSON.parse(line) as Json;
    const [key, fragment] = isArray(entry) ? entry : [];
    const object = isObject(fragment) ? own(fragment, 'object') : undefined;
    const config = isObject(fragment) ? own(fragment, 'config') : undefined;
    if (typeof key === 'string' && fragment === null) found.delete(key);
    else if (typeof key !== 'string' || typeof object !== 'string' || !isObject(config))
      throw valueError('invalid entry: expected a key and a configuration fragment');
    else {
      const rank = isObject(fragment) ? own(fragment, 'rank') : undefined;
      const fallback = isObject(fragment) ? own(fragment, 'fallback') : undefined;
      found.set(key, {
        object,
        config,
        ...(typeof rank === 'string' ? { rank } : {}),
        ...(typeof fallback === 'string' ? { fallback } : {}),
      });
    }
  }
  return found;
}
