/**
 * How a server becomes a member of a fleet: before it serves, it takes what the fleet has, or what it has saved of it while the store is
 * away. What the command line names as configuration is for a fleet that is yet to be made.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, taskOf, unawaited, type Json, type Logger } from '@sluice/base';
import type { FleetSeat } from '@sluice/contracts';
import type { Engine } from '@sluice/engine';
import { Membership, rebuild, type Snapshot } from '@sluice/fleet';
import type { Registry } from '@sluice/registry';
import type { InitialConfig } from '../configuration/config-file.ts';
import type { FileStore } from '../persistence/file-store.ts';
import { version } from '../version.ts';
import { openStore, type OpenStore } from './open-store.ts';
import { overlayView } from './overlay.ts';
import { SavedHead } from './saved-head.ts';
import type { FleetFlags } from '../run-options.ts';
import { fleetSettings, type FleetSettings } from './settings.ts';

/** How long to wait for the store before what was saved will do, and between looks at it, in milliseconds. */
const times = { patience: 1500, look: 500 };

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
  #membership: Membership | null = null;

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
    const began = performance.now();
    let told = false;
    for (;;) {
      try {
        this.#place = await rebuild(this.#open.store);
        if (this.#place === null) return given;
        this.#log.info('the document is that of the fleet', {
          rev: this.#place.head.rev,
          member: this.#settings.member,
        });
        return { document: this.#place.document, sources: null, origin: 'fleet' };
      } catch (error) {
        const reason = messageOf(error);
        if (performance.now() - began > times.patience) {
          const saved = await this.#copy(store);
          if (saved !== null) {
            this.#log.warn('the store of the fleet cannot be reached: the copy of this machine is served', { reason });
            return saved;
          }
          const message = 'the store of the fleet cannot be reached, and this machine has no copy: waiting for it';
          if (!told) this.#log.error(message, { reason });
          told = true;
        }
        await sleep(times.look);
      }
    }
  }

  /** Begins to follow the fleet, once the document is in force. */
  begin(engine: Engine): void {
    const { cluster, member: name, labels } = this.#settings;
    const keep = (place: Snapshot): Promise<void> => this.#saved.write(place);
    const log = this.#log.named('fleet');
    const membership = new Membership({ engine, store: this.#open.store, cluster, name, labels, version, log, keep });
    this.#membership = membership;
    this.#seat.membership = membership;
    const place = this.#place;
    // Where the document in force is in the log is known only if it is still that one.
    membership.start(place === null ? null : { ...place, document: engine.document });
    if (place === null) return;
    const warn = (error: unknown): void => log.warn('fleet.json cannot be written', { error });
    unawaited(taskOf('sluice.fleet'), keep(place).catch(warn));
  }

  async close(): Promise<void> {
    this.#seat.membership = null;
    await this.#membership?.close();
    await this.#open.close();
  }

  async #copy(store: FileStore | null): Promise<InitialConfig | null> {
    const saved = await store?.resume();
    if (saved === null || saved === undefined) return null;
    const head = await this.#saved.read(saved.document, this.#log);
    if (head === null) return null;
    this.#place = { head, document: saved.document };
    return { document: saved.document, sources: null, origin: 'fleet' };
  }
}
