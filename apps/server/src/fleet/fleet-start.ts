/**
 * How a server becomes a member of a fleet: before it serves, it takes what the fleet has, or what it has saved of it while the store is
 * away. What the command line names as configuration is for a fleet that is yet to be made.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, messageOf, own, taskOf, unawaited, type Json, type Logger } from '@sluice/base';
import type { FleetSeat } from '@sluice/contracts';
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

/** How long to wait for the store before what was saved will do, in milliseconds. */
const patience = 500;

/** How long a machine that has saved nothing waits before it opens its admin endpoint without a configuration, in milliseconds. */
const newcomerPatience = 2000;

/** How long to wait before the store is tried again, in milliseconds. */
const lookPause = 500;

/** What it is made with. */
export interface FleetStartOptions {
  readonly flags: FleetFlags;
  readonly folder: string;
  readonly registry: Registry;
  readonly seat: FleetSeat;
  readonly log: Logger;
}

/** What a machine has saved of a fleet. */
interface Copy {
  readonly document: Json;
  readonly saved: SavedPlace;
}

/** A server on its way into a fleet. */
export class FleetStart {
  readonly #settings: FleetSettings;
  readonly #seat: FleetSeat;
  readonly #log: Logger;
  readonly #open: OpenStore;
  readonly #saved: SavedHead;
  #place: Snapshot | null = null;
  /** What the store has had, when this machine saw it last; `null` if it never did. */
  #seen: Head | null = null;
  /** Whether the copy of this machine is served, whatever the store has. */
  #servesCopy = false;
  /** What was saved in an earlier life. */
  #kept: Copy | null = null;
  #membership: Membership | null = null;
  #isClosed = false;
  /** What is served once the store can be reached, where nothing could be served before. */
  #late: Promise<InitialConfig | null> | null = null;
  #first: string | null = null;

  private constructor(settings: FleetSettings, { seat, log, folder }: FleetStartOptions, open: OpenStore) {
    this.#settings = settings;
    this.#seat = seat;
    this.#log = log;
    this.#open = open;
    this.#saved = new SavedHead(folder, settings.cluster);
  }

  /** Opens the store that the flags or a document name. From now on the document is seen as this member sees it. */
  static async open(document: Json, options: FleetStartOptions): Promise<FleetStart> {
    const settings = fleetSettings(options.flags, document, options.registry);
    options.seat.view = overlayView(settings);
    return new FleetStart(settings, options, await openStore(settings, options.registry, options.log));
  }

  /**
   * What to serve first: what the fleet has, or what was saved of it; the document of the command line where there is no fleet yet. While
   * the store is unavailable and nothing was saved, there is an admin endpoint alone, and the rest follows.
   */
  async initial(given: InitialConfig, store: FileStore | null): Promise<InitialConfig> {
    const copy = await this.#copy(store);
    this.#seen = copy?.saved.head ?? null;
    this.#kept = copy;
    const found = this.#find(given);
    const wait = copy === null ? newcomerPatience : patience;
    const first = await Promise.race([found, sleep(wait, null)]);
    if (first !== null) return first;
    if (copy === null) {
      if (given.origin === 'upgrade') return (await found) ?? given;
      this.#late = found;
      this.#log.warn('fleet store is unavailable and no copy was saved; serving only the admin API');
      return { document: this.#adminOf(given.document), sources: null, origin: 'fleet' };
    }
    this.#log.warn('fleet store is unavailable, or lost changes; serving the local copy');
    return this.#serveCopy();
  }

  /** The admin endpoint that this member is to have; it is in no fleet by that document, and overlays are applied already. */
  #adminOf(document: Json): Json {
    const seen = this.#seat.view?.(document) ?? document;
    const admin = isObject(seen) ? own(seen, 'admin') : undefined;
    if (admin === undefined || !isObject(admin)) return null;
    const { fleet: _fleet, ...rest } = admin;
    return { admin: rest };
  }

  /** Looks into the store until it can be reached; `null` if it does not continue what this machine has seen of it. */
  async #find(given: InitialConfig): Promise<InitialConfig | null> {
    for (let told = false; ; told = true) {
      try {
        const place = await rebuild(this.#open.store);
        if (!(await this.#isContinued(place?.head ?? null))) return null;
        if (place === null || this.#servesCopy) return given;
        this.#place = place;
        this.#log.info("using the fleet's document", { rev: place.head.rev, member: this.#settings.member });
        return { document: place.document, sources: null, origin: 'fleet' };
      } catch (error) {
        if (this.#servesCopy || this.#isClosed) return given;
        const message = 'the store of the fleet cannot be reached; it is tried again until there is something to serve';
        if (!told) this.#log.warn(message, { reason: messageOf(error) });
        this.#membership?.loseStore(error);
        await sleep(lookPause);
      }
    }
  }

  /** What to serve where the document of the fleet cannot be loaded here: what was saved of it, or nothing; `null` if it was that which failed. */
  fallback(): InitialConfig | null {
    return this.#place === null || this.#servesCopy ? null : this.#serveCopy();
  }

  #serveCopy(): InitialConfig {
    const { document, saved } = this.#kept ?? { document: null, saved: null };
    this.#servesCopy = true;
    this.#place = saved?.isOfDocument === true ? { head: saved.head, document } : null;
    return { document, sources: null, origin: 'fleet' };
  }

  /** Has the fleet decide on changes from now on; `first` is the operation that puts the first document in force. */
  attach(reconciler: Reconciler, first: string | null): void {
    this.#first = first;
    const { cluster, member: name, labels } = this.#settings;
    const keep = (place: Snapshot): Promise<void> => this.#saved.write(place);
    const log = this.#log.named('fleet');
    const { store } = this.#open;
    const view = this.#seat.view ?? ((document) => document);
    const membership = new Membership({ reconciler, store, cluster, name, labels, version, log, keep, view });
    membership.attach(first);
    this.#membership = membership;
    this.#seat.membership = membership;
  }

  /** Begins to follow the fleet, once that document is in force. */
  begin(reconciler: Reconciler): void {
    if (this.#late === null) this.#follow(reconciler);
    else unawaited(taskOf('sluice.fleet'), this.#beginLate(reconciler, this.#late));
  }

  /** Puts the document in force that could not be read at the start, and follows then. */
  async #beginLate(reconciler: Reconciler, late: Promise<InitialConfig | null>): Promise<void> {
    const found = await late;
    if (this.#isClosed || found === null) return;
    const { document, origin, sources } = found;
    try {
      await reconciler.load(document, { origin, sources, ...(this.#first === null ? {} : { op: this.#first }) });
    } catch (error) {
      // The follower takes what the fleet has, and says what keeps it from being in force. A file that cannot be loaded founds no fleet.
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
    this.#seat.membership = null;
    await this.#membership?.close();
    await this.#open.close();
  }

  /** Leaves the fleet for good: what this machine has saved of its place there is forgotten. */
  async leave(): Promise<void> {
    this.#membership?.leave();
    await this.close();
    await this.#saved.remove();
  }

  /** Whether a store that ends at `head` still has what this machine has seen of it. */
  async #isContinued(head: Head | null): Promise<boolean> {
    if (this.#seen === null) return true;
    const { rev } = this.#seen;
    const next = head === null || head.rev <= rev ? null : await this.#open.store.log(rev + 1, rev + 1);
    return continues(this.#seen, head, next?.[0]);
  }

  /** A damaged copy is of no use, and the fleet has the document: the start goes on without it. */
  async #resume(store: FileStore | null): Promise<{ readonly document: Json } | null> {
    if (store === null) return null;
    try {
      return await store.resume();
    } catch (error) {
      const kept = await store.setAside();
      this.#log.error('saved copy of the fleet is unreadable and was set aside; waiting for the store', {
        error: messageOf(error),
        kept: kept.join(', '),
      });
      return null;
    }
  }

  /** What was saved of this fleet, or `null`. */
  async #copy(store: FileStore | null): Promise<Copy | null> {
    const { document = null } = (await this.#resume(store)) ?? {};
    const saved = document === null ? null : await this.#saved.read(document, this.#log);
    return saved === null ? null : { document, saved };
  }
}
