/**
 * Exchanges event counts between servers that share a storage. Each server writes the counts of its keys by time slice, under its own
 * storage key. It adds the counts of the other servers to its own. Events since the last exchange are missing from these counts, so a limit
 * can be exceeded by that many events.
 */
import { randomUUID } from 'node:crypto';
import { messageOf, taskOf, unawaited, type Logger } from '@sluice/base';
import type { Storage } from '@sluice/contracts';
import { remoteSlots } from './sliding-windows.ts';
import type { Zone } from './zone.ts';

/** Storage directory that contains one file per server. */
const directory = 'rate_limit/instances';

/** Event counts written by one server. */
interface InstanceState {
  /** Milliseconds since 1970. */
  readonly written: number;
  readonly zones: Record<string, Record<string, readonly number[]>>;
}

/** Settings of the exchange. Times are in milliseconds. */
export interface DistributionSettings {
  readonly zones: readonly Zone[];
  readonly storage: Storage;
  readonly log: Logger;
  readonly writeInterval: number;
  readonly readInterval: number;
  readonly purgeAge: number;
}

const task = taskOf('http.handlers.rate_limit');

/** ID of this server. It does not change while the process runs, even if the configuration changes. */
const instance = randomUUID();

/** Exchanges the event counts of one handler. */
export class Distribution {
  readonly #settings: DistributionSettings;
  readonly #own = `${directory}/${instance}.json`;
  /** Keys for which other servers have reported counts, by zone. When no server reports a key anymore, its counts are cleared. */
  readonly #reported = new Map<string, Set<string>>();
  #failing = false;

  constructor(settings: DistributionSettings) {
    this.#settings = settings;
  }

  /** Writes and reads counts periodically until the signal is aborted. */
  start(signal: AbortSignal): void {
    const { writeInterval, readInterval } = this.#settings;
    unawaited(
      task,
      this.#repeat(writeInterval, signal, () => this.#write()),
    );
    unawaited(
      task,
      this.#repeat(readInterval, signal, () => this.#read()),
    );
  }

  /** Writes the event counts of this server. */
  async #write(): Promise<void> {
    const zones: Record<string, Record<string, readonly number[]>> = {};
    for (const zone of this.#settings.zones) zones[zone.settings.name] = await zone.counts();
    const state: InstanceState = { written: Date.now(), zones };
    await this.#settings.storage.store(this.#own, JSON.stringify(state));
  }

  /** Reads the event counts of all other servers. */
  async #read(): Promise<void> {
    const { storage, zones, purgeAge } = this.#settings;
    const states: InstanceState[] = [];
    for (const key of await storage.list(directory)) {
      if (key === this.#own) continue;
      const state = await this.#load(key);
      if (state === null) continue;
      if (Date.now() - state.written > purgeAge) await storage.delete(key);
      else states.push(state);
    }
    for (const zone of zones) this.#apply(zone, states);
  }

  async #load(key: string): Promise<InstanceState | null> {
    const text = await this.#settings.storage.load(key);
    if (text === null) return null;
    try {
      const state = JSON.parse(text.toString('utf8')) as InstanceState;
      return typeof state.written === 'number' && typeof state.zones === 'object' ? state : null;
    } catch {
      // Another server is currently writing the file, or its format is unknown. The counts in the file are missing until the next read.
      this.#settings.log.warn('skipped unreadable rate limit state', { key });
      return null;
    }
  }

  #apply(zone: Zone, states: readonly InstanceState[]): void {
    const { name, window } = zone.settings;
    const sums = new Map<string, Float64Array>();
    const now = Date.now();
    for (const { written, zones } of states) {
      // Counts refer to time slices. Shift them by the number of slices that have passed since they were written.
      const passed = Math.max(0, Math.floor(((now - written) * remoteSlots) / window));
      for (const [key, counts] of Object.entries(zones[name] ?? {})) {
        let sum = sums.get(key);
        if (sum === undefined) sums.set(key, (sum = new Float64Array(remoteSlots)));
        for (let i = passed; i < remoteSlots; i++) sum[i - passed] = (sum[i - passed] ?? 0) + (counts[i] ?? 0);
      }
    }
    for (const key of this.#reported.get(name) ?? []) if (!sums.has(key)) zone.setRemote(key, [], 0);
    for (const [key, sum] of sums) zone.setRemote(key, sum, 0);
    this.#reported.set(name, new Set(sums.keys()));
  }

  async #repeat(interval: number, signal: AbortSignal, task: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      try {
        await task();
        this.#failing = false;
      } catch (error) {
        // While the storage is unavailable, each server applies only its own counts.
        if (!this.#failing)
          this.#settings.log.warn('failed to exchange rate limit counts', { error: messageOf(error) });
        this.#failing = true;
      }
      await pause(interval, signal);
    }
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const timer = setTimeout(done, milliseconds);
    timer.unref();
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
