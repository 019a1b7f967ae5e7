/**
 * Joins a fleet at startup. Before serving requests, the server reads the fleet's document. If the store is unavailable, it uses the local
 * copy.
 *
 * The configuration on the command line is used only to create a new fleet.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, messageOf, own, taskOf, unawaited, type Json, type Logger } from '@sluice/base';
import type { FleetHandle } from '@sluice/contracts';
import type { Reconciler } from '@sluice/reconciler';
import { continues, Membership, rebuild, type Head, type Snapshot } from '@sluice/fleet';
import type { Registry } from '@sluice/registry';
import type { InitialConfig } from '../configuration/config-file.ts';
import type { FileStore } from '../persistence/file-store.ts';
import { version } from '../version.ts';
import { openStore, type OpenStore } from './open-store.ts';
import { overlayView } from './overlay.ts';
import { SavedHead, type SavedPlace } from './saved-head.ts';
import type { FleetFlags } from '../run-options.ts';
import { fleetSettings, type FleetSettings } from './settings.ts';

/** Time to wait for the store before using the local copy, in milliseconds. */
const timeout = 500;

/** Time in milliseconds to wait for the store on a machine that has no local copy. After that, the admin endpoint is opened. */
const joinTimeout = 2000;

/** Interval between attempts to connect to the store, in milliseconds. */
const pollInterval = 500;

export interface FleetStartOptions {
  readonly flags: FleetFlags;
  readonly folder: string;
  readonly registry: Registry;
  readonly handle: FleetHandle;
  readonly log: Logger;
}

/** Local copy of the fleet's document. */
interface Copy {
  readonly document: Json;
  readonly saved: SavedPlace;
}

/** Startup of a server that joins a fleet. */
export class FleetStart {
  readonly #settings: FleetSettings;
  readonly #handle: FleetHandle;
  readonly #log: Logger;
  readonly #open: OpenStore;
  readonly #saved: SavedHead;
  #place: Snapshot | null = null;
  /** Last known log head of the store, or `null` if unknown. */
  #seen: Head | null = null;
  /** True if the local copy is served regardless of the store's content. */
  #servesCopy = false;
  /** Local copy that a previous process has saved, or `null`. */
  #kept: Copy | null = null;
  #membership: Membership | null = null;
  #isClosed = false;
  /** If there was no configuration at startup, resolves to the configuration to serve once the store is available. */
  #late: Promise<InitialConfig | null> | null = null;
  #first: string | null = null;

  private constructor(settings: FleetSettings, { handle, log, folder }: FleetStartOptions, open: OpenStore) {
    this.#settings = settings;
    this.#handle = handle;
    this.#log = log;
    this.#open = open;
    this.#saved = new SavedHead(folder, settings.cluster);
  }

  /** Opens the store that the flags or the document specify. After that, this member's overlay applies to the document. */
  static async open(document: Json, options: FleetStartOptions): Promise<FleetStart> {
    const settings = fleetSettings(options.flags, document, options.registry);
    options.handle.view = overlayView(settings);
    return new FleetStart(settings, options, await openStore(settings, options.registry, options.log));
  }

  /**
   * Returns the initial configuration: the fleet's document, or else the local copy. If the fleet does not exist yet, returns the command
   * line's configuration.
   *
   * If the store is unavailable and there is no local copy, only the admin endpoint is started. The rest starts once the store is
   * available.
   */
  async initial(given: InitialConfig, store: FileStore | null): Promise<InitialConfig> {
    const copy = await this.#copy(store);
    this.#seen = copy?.saved.head ?? null;
    this.#kept = copy;
    const found = this.#find(given);
    const wait = copy === null ? joinTimeout : timeout;
    const first = await Promise.race([found, sleep(wait, null)]);
    if (first !== null) return first;
    if (copy === null) {
      if (given.origin === 'upgrade') return (await found) ?? given;
      this.#late = found;
      this.#log.warn('fleet store is unavailable and there is no local copy; serving only the admin API');
      return { document: this.#adminOf(given.document), sources: null, origin: 'fleet' };
    }
    this.#log.warn('fleet store is unavailable or has lost changes; serving the local copy');
    return this.#serveCopy();
  }

  /** Returns a configuration that contains only this member's admin endpoint. Overlays are applied, and fleet settings are removed. */
  #adminOf(document: Json): Json {
    const seen = this.#handle.view?.(document) ?? document;
    const admin = isObject(seen) ? own(seen, 'admin') : undefined;
    if (admin === undefined || !isObject(admin)) return null;
    const { fleet: _fleet, ...rest } = admin;
    return { admin: rest };
  }

  /** Retries until the store is available. Returns `null` if the store's history is not a continuation of the known history. */
  async #find(given: InitialConfig): Promise<InitialConfig | null> {
    for (let isLogged = false; ; isLogged = true) {
      try {
        const place = await rebuild(this.#open.store);
        if (!(await this.#isContinued(place?.head ?? null))) return null;
        if (place === null || this.#servesCopy) return given;
        this.#place = place;
        this.#log.info("using the fleet's document", { rev: place.head.rev, member: this.#settings.member });
        return { document: place.document, sources: null, origin: 'fleet' };
      } catch (error) {
        if (this.#servesCopy || this.#isClosed) return given;
        const message = 'fleet store is unavailable; retrying until a configuration is available';
        if (!isLogged) this.#log.warn(message, { reason: messageOf(error) });
        this.#membership?.loseStore(error);
        await sleep(pollInterval);
      }
    }
  }

  /**
   * Returns the configuration to use if the fleet's document cannot be loaded on this machine: the local copy, or an empty configuration.
   * Returns `null` if the local copy itself failed to load.
   */
  fallback(): InitialConfig | null {
    return this.#place === null || this.#servesCopy ? null : this.#serveCopy();
  }

  #serveCopy(): InitialConfig {
    const { document, saved } = this.#kept ?? { document: null, saved: null };
    this.#servesCopy = true;
    this.#place = saved?.isOfDocument === true ? { head: saved.head, document } : null;
    return { document, sources: null, origin: 'fleet' };
  }

  /** Starts submitting changes to the fleet. `first` is the operation that activates the first document. */
  attach(reconciler: Reconciler, first: string | null): void {
    this.#first = first;
    const { cluster, member: name, labels } = this.#settings;
    const keep = (place: Snapshot): Promise<void> => this.#saved.write(place);
    const log = this.#log.named('fleet');
    const { store } = this.#open;
    const view = this.#handle.view ?? ((document) => document);
    const membership = new Membership({ reconciler, store, cluster, name, labels, version, log, keep, view });
    membership.attach(first);
    this.#membership = membership;
    this.#handle.membership = membership;
  }

  /** Starts following the fleet. Call after the first document is active. */
  begin(reconciler: Reconciler): void {
    if (this.#late === null) this.#follow(reconciler);
    else unawaited(taskOf('sluice.fleet'), this.#beginLate(reconciler, this.#late));
  }

  /** Activates the document that could not be read at startup, then starts following the fleet. */
  async #beginLate(reconciler: Reconciler, late: Promise<InitialConfig | null>): Promise<void> {
    const found = await late;
    if (this.#isClosed || found === null) return;
    const { document, origin, sources } = found;
    try {
      await reconciler.load(document, { origin, sources, ...(this.#first === null ? {} : { op: this.#first }) });
    } catch (error) {
      // Don't create a fleet from a file that can't be loaded. In an existing fleet, the follower adopts the fleet's document, and reports
      // the reason if it can't be applied.
      this.#log.error('failed to load the configuration', { error: messageOf(error) });
      if (this.#place === null) return;
      this.#place = null;
    }
    this.#follow(reconciler);
  }

  #follow(reconciler: Reconciler): void {
    const head = this.#place?.head ?? null;
    this.#membership?.start(head, this.#seen);
    if (head === null) return;
    const warn = (error: unknown): void => this.#log.warn('failed to write fleet.json', { error });
    unawaited(taskOf('sluice.fleet'), this.#saved.write({ head, document: reconciler.document }).catch(warn));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#handle.membership = null;
    await this.#membership?.close();
    await this.#open.close();
  }

  /** Leaves the fleet permanently. Deletes the saved log position. */
  async leave(): Promise<void> {
    this.#membership?.leave();
    await this.close();
    await this.#saved.remove();
  }

  /** Reports whether the store's history, up to the given head, contains the history that this machine has already seen. */
  async #isContinued(head: Head | null): Promise<boolean> {
    if (this.#seen === null) return true;
    const { rev } = this.#seen;
    const next = head === null || head.rev <= rev ? null : await this.#open.store.log(rev + 1, rev + 1);
    return continues(this.#seen, head, next?.[0]);
  }

  /** Reads the local copy. Ignores a corrupted copy, because the fleet has the document. */
  async #resume(store: FileStore | null): Promise<{ readonly document: Json } | null> {
    if (store === null) return null;
    try {
      return await store.resume();
    } catch (error) {
      const kept = await store.setAside();
      this.#log.error('local copy of the fleet document is unreadable; renamed it, waiting for the store', {
        error: messageOf(error),
        kept: kept.join(', '),
      });
      return null;
    }
  }

  /** Returns the local copy of this fleet's document, or `null` if there is none. */
  async #copy(store: FileStore | null): Promise<Copy | null> {
    const { document = null } = (await this.#resume(store)) ?? {};
    const saved = document === null ? null : await this.#saved.read(document, this.#log);
    return saved === null ? null : { document, saved };
  }
}
