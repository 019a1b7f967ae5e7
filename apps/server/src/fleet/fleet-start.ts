/**
 * How a server becomes a member of a fleet: before it serves, it takes what the fleet has, or what it has saved of it while the store is
 * away. What the command line names as configuration is for a fleet that is yet to be made.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, taskOf, unawaited, type Json, type Logger } from '@sluice/base';
import type { FleetSeat } from '@sluice/contracts';
import type { Engine } from '@sluice/engine';
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
  #membership: Membership | null = null;
  #isClosed = false;

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
   * the store is away and nothing was saved, it waits.
   */
  async initial(given: InitialConfig, store: FileStore | null): Promise<InitialConfig> {
    const copy = await this.#copy(store);
    this.#seen = copy?.saved.head ?? null;
    const found = this.#find(given);
    const first = copy === null ? await found : await Promise.race([found, sleep(patience, null)]);
    if (first !== null || copy === null) return first ?? given;
    this.#servesCopy = true;
    const { document, saved } = copy;
    this.#log.warn('the store of the fleet cannot be reached, or has lost changes: the copy of this machine is served');
    this.#place = saved.isOfDocument ? { head: saved.head, document } : null;
    return { document, sources: null, origin: 'fleet' };
  }

  /** Looks into the store until it can be reached; `null` if it does not continue what this machine has seen of it. */
  async #find(given: InitialConfig): Promise<InitialConfig | null> {
    for (let told = false; ; told = true) {
      try {
        const place = await rebuild(this.#open.store);
        if (!(await this.#isContinued(place?.head ?? null))) return null;
        if (place === null || this.#servesCopy) return given;
        this.#place = place;
        this.#log.info('the document is that of the fleet', { rev: place.head.rev, member: this.#settings.member });
        return { document: place.document, sources: null, origin: 'fleet' };
      } catch (error) {
        if (this.#servesCopy || this.#isClosed) return given;
        const message = 'the store of the fleet cannot be reached; it is tried again until there is something to serve';
        if (!told) this.#log.warn(message, { reason: messageOf(error) });
        await sleep(lookPause);
      }
    }
  }

  /** Has the fleet decide on changes from now on; `first` is the operation that puts the first document in force. */
  attach(engine: Engine, first: string | null): void {
    const { cluster, member: name, labels } = this.#settings;
    const keep = (place: Snapshot): Promise<void> => this.#saved.write(place);
    const log = this.#log.named('fleet');
    const { store } = this.#open;
    const view = this.#seat.view ?? ((document) => document);
    const membership = new Membership({ engine, store, cluster, name, labels, version, log, keep, view });
    membership.attach(first);
    this.#membership = membership;
    this.#seat.membership = membership;
  }

  /** Begins to follow the fleet, once that document is in force. */
  begin(engine: Engine): void {
    const head = this.#place?.head ?? null;
    this.#membership?.start(head, this.#seen);
    if (head === null) return;
    const warn = (error: unknown): void => this.#log.warn('fleet.json cannot be written', { error });
    unawaited(taskOf('sluice.fleet'), this.#saved.write({ head, document: engine.document }).catch(warn));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#seat.membership = null;
    await this.#membership?.close();
    await this.#open.close();
  }

  /** Whether a store that ends at `head` still has what this machine has seen of it. */
  async #isContinued(head: Head | null): Promise<boolean> {
    if (this.#seen === null) return true;
    const { rev } = this.#seen;
    const next = head === null || head.rev <= rev ? null : await this.#open.store.log(rev + 1, rev + 1);
    return continues(this.#seen, head, next?.[0]);
  }

  /** What was saved of this fleet, or `null`. */
  async #copy(store: FileStore | null): Promise<{ readonly document: Json; readonly saved: SavedPlace } | null> {
    const { document = null } = (await store?.resume()) ?? {};
    const saved = document === null ? null : await this.#saved.read(document, this.#log);
    return saved === null ? null : { document, saved };
  }
}
