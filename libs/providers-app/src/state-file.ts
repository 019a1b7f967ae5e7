/** The last fragments of a provider on disk, so that a restarted server uses them before the source responds. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  dataDirectory,
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

/** Delay in milliseconds before fragments are written. All changes during the delay are written together. */
const writeDelay = 1_000;

export class StateFile {
  readonly #path: string;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | null = null;
  #write: Promise<void> = Promise.resolve();
  #pending: (() => Iterable<readonly [string, Fragment]>) | null = null;

  constructor(provider: string, log: Logger, directory: string = join(dataDirectory(), 'providers')) {
    this.#path = join(directory, `${encodeURIComponent(provider)}.json`);
    this.#log = log;
  }

  /** Returns the saved fragments, or none if the file is missing or invalid. Blocks the thread: used once, at startup. */
  read(): ReadonlyMap<string, Fragment> {
    try {
      return fragmentsOf(JSON.parse(readFileSync(this.#path, 'utf8')) as Json);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#log.warn('ignored unreadable provider state', { file: this.#path, error });
      return new Map();
    }
  }

  /** Writes fragments after a delay. */
  save(fragments: () => Iterable<readonly [string, Fragment]>): void {
    this.#pending = fragments;
    this.#timer ??= setTimeout(() => void this.flush(), writeDelay).unref();
  }

  /** Writes pending fragments now. Never rejects. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const pending = this.#pending;
    this.#pending = null;
    if (pending !== null) this.#write = this.#write.then(() => this.#replace(JSON.stringify([...pending()])));
    return this.#write;
  }

  /** The file can contain private keys, so only its owner can read it. */
  async #replace(text: string): Promise<void> {
    try {
      await makeDirectory(dirname(this.#path));
      await (await stageFile(this.#path, [text])).commit();
    } catch (error) {
      this.#log.warn('failed to save provider state', { file: this.#path, error });
    }
  }
}

function fragmentsOf(value: Json): ReadonlyMap<string, Fragment> {
  const found = new Map<string, Fragment>();
  if (!isArray(value)) throw valueError('expected an array');
  for (const entry of value) {
    const [key, fragment] = isArray(entry) ? entry : [];
    const object = isObject(fragment) ? own(fragment, 'object') : undefined;
    const config = isObject(fragment) ? own(fragment, 'config') : undefined;
    if (typeof key !== 'string' || typeof object !== 'string' || !isObject(config))
      throw valueError('expected a key and a fragment');
    const rank = isObject(fragment) ? own(fragment, 'rank') : undefined;
    const fallback = isObject(fragment) ? own(fragment, 'fallback') : undefined;
    found.set(key, {
      object,
      config,
      ...(typeof rank === 'string' ? { rank } : {}),
      ...(typeof fallback === 'string' ? { fallback } : {}),
    });
  }
  return found;
}
