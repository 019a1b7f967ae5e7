/** Session ticket keys in a storage. If a rotation is due, the first server that detects this rotates the keys. */
import { maxTimer, taskOf, unawaited, type Logger, itemAt } from '@sluice/base';
import { writeUnder, type Storage } from '@sluice/contracts';
import type { TicketKeySettings, TicketKeySource } from '@sluice/tls-app';
import { keyLength, rotated } from '../common/keys.ts';

const storageKey = 'stek/keys.json';
const lockName = 'stek_keys';
/** Delay before retrying after a storage failure, in milliseconds. */
const retryTime = 60_000;

/** Format of the session ticket keys in the storage. */
interface Stored {
  /** Current key first. */
  readonly keys: readonly Buffer[];
  /** Time of the next key rotation, in milliseconds since the Unix epoch. 0 means never. */
  readonly next: number;
}

/** Source of session ticket keys from a storage. */
export class StoredKeys implements TicketKeySource {
  readonly #storage: Storage;
  readonly #log: Logger;

  constructor(storage: Storage, log: Logger) {
    this.#storage = storage;
    this.#log = log;
  }

  start(
    settings: TicketKeySettings,
    changed: (keys: readonly Buffer[]) => void,
    signal: AbortSignal,
  ): Promise<readonly Buffer[]> {
    return new Rotation({ storage: this.#storage, log: this.#log, settings, changed, signal }).start();
  }
}

/** Dependencies of a key rotation. */
interface RotationParts {
  readonly storage: Storage;
  readonly log: Logger;
  readonly settings: TicketKeySettings;
  readonly changed: (keys: readonly Buffer[]) => void;
  readonly signal: AbortSignal;
}

/** Reads the keys from a storage, and rotates them when due, until the signal is aborted. */
class Rotation {
  readonly #parts: RotationParts;
  #timer: NodeJS.Timeout | null = null;
  /** Last provided keys. */
  #keys: readonly Buffer[] = [];

  constructor(parts: RotationParts) {
    this.#parts = parts;
  }

  async start(): Promise<readonly Buffer[]> {
    const { keys, next } = await this.#refresh();
    this.#parts.signal.addEventListener('abort', () => this.#stop(), { once: true });
    this.#keys = keys;
    this.#schedule(next);
    return keys;
  }

  /** Returns the stored keys. Rotates the keys first if a rotation is due. Other servers wait until the rotation is complete. */
  async #refresh(): Promise<Stored> {
    const { storage, settings, signal } = this.#parts;
    const { rotationInterval, maxKeys } = settings;
    const lock = await storage.lock(lockName, { signal });
    try {
      const { keys, next } = this.#read(await storage.load(storageKey));
      const now = Date.now();
      // If the next rotation is too far in the future, the clock was set back. Rotate immediately.
      const due = keys.length === 0 || (rotationInterval > 0 && (now >= next || next - now > rotationInterval));
      if (!due) return { keys: keys.slice(0, maxKeys), next };
      const made: Stored = {
        keys: rotated(keys, maxKeys),
        next: rotationInterval > 0 ? Date.now() + rotationInterval : 0,
      };
      await writeUnder(lock, storage, storageKey, serialize(made));
      return made;
    } finally {
      await lock.release();
    }
  }

  #read(value: Buffer | null): Stored {
    const stored = value === null ? none : parse(value);
    if (stored !== null) return stored;
    this.#parts.log.warn('cannot read session ticket keys from storage; generating new ones', {
      key: storageKey,
    });
    return none;
  }

  #schedule(next: number): void {
    const { settings, signal } = this.#parts;
    if (settings.rotationInterval <= 0 || signal.aborted) return;
    const delay = Math.min(maxTimer, Math.max(1, next - Date.now()));
    this.#timer = setTimeout(() => unawaited(taskOf('tls.stek.distributed'), this.#rotate()), delay);
    this.#timer.unref();
  }

  async #rotate(): Promise<void> {
    const { changed, log, signal } = this.#parts;
    let next = Date.now() + retryTime;
    try {
      const stored = await this.#refresh();
      next = stored.next;
      // If a timer fires slightly early, the keys have not changed yet and are checked again later.
      if (!signal.aborted && !sameKeys(stored.keys, this.#keys)) changed((this.#keys = stored.keys));
    } catch (error) {
      if (!signal.aborted) log.error('failed to rotate session ticket keys; keeping the current keys', { error });
    }
    this.#schedule(next);
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}

function sameKeys(some: readonly Buffer[], others: readonly Buffer[]): boolean {
  return some.length === others.length && some.every((key, i) => key.equals(itemAt(others, i)));
}

const none: Stored = { keys: [], next: 0 };

function serialize({ keys, next }: Stored): string {
  return JSON.stringify({ keys: keys.map((key) => key.toString('base64')), next });
}

/** Parses stored keys. Returns `null` if they are invalid. */
function parse(value: Buffer): Stored | null {
  try {
    const { keys, next } = JSON.parse(value.toString('utf8')) as { keys: string[]; next: number };
    const read = keys.map((text) => Buffer.from(text, 'base64'));
    const whole = read.length > 0 && read.every(({ length }) => length === keyLength) && Number.isFinite(next);
    return whole ? { keys: read, next } : null;
  } catch {
    return null;
  }
}
