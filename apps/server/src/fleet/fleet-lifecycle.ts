/**
 * Fleet membership of a server. It begins at startup, or with the first configuration that enables it. The fleet code is loaded at that
 * time.
 */
import { isObject, jsonEqual, messageOf, own, SluiceError, type Json, type Logger } from '@sluice/base';
import type { FleetHandle } from '@sluice/contracts';
import { removeAt, type Reconciler } from '@sluice/reconciler';
import type { InitialConfig } from '../configuration/config-file.ts';
import { standardRegistry } from '../configuration/standard-registry.ts';
import type { FileStore } from '../persistence/file-store.ts';
import type { FleetStart } from './fleet-start.ts';
import type { FleetFlags } from '../run-options.ts';
import { namesFleet } from './settings.ts';

export interface FleetLifecycleOptions {
  readonly flags: FleetFlags & { readonly module?: readonly string[] };
  readonly folder: string;
  readonly log: Logger;
}

export class FleetLifecycle {
  readonly handle: FleetHandle = { membership: null, view: null, leave: null };
  readonly #options: FleetLifecycleOptions;
  #start: FleetStart | null = null;

  constructor(options: FleetLifecycleOptions) {
    this.#options = options;
  }

  /** Returns the initial configuration. If the server is not a fleet member, returns `given`. */
  async initial(given: InitialConfig, store: FileStore | null): Promise<InitialConfig> {
    if (!namesFleet(this.#options.flags, given.document)) return given;
    this.#start = await this.#open(given.document);
    return this.#start.initial(given, store);
  }

  /**
   * Starts submitting changes to the fleet. Must be called before the first document is active, because clients may connect as soon as it
   * is active. `first` is the operation that activates the document.
   */
  attach(reconciler: Reconciler, first: string): void {
    this.handle.leave = () => this.#leave(reconciler);
    reconciler.hooks.proposed.tapPromise('fleet settings', async ({ before, after, origin }) => {
      if (this.#start === null) {
        if (namesFleet({}, after)) this.#start = await this.#open(after);
      } else if (this.handle.membership !== null && !origin.startsWith('fleet')) checkStays(before, after);
    });
    reconciler.hooks.committed.tap('fleet settings', ({ document }) => {
      if (this.#start === null || this.handle.membership !== null || !namesFleet({}, document)) return;
      this.#start.attach(reconciler, null);
      this.#start.begin(reconciler);
    });
    this.#start?.attach(reconciler, first);
  }

  /** Returns the configuration to use if the first document could not be loaded, or `null` if there is none. */
  fallback(error: unknown): InitialConfig | null {
    const other = this.#start?.fallback() ?? null;
    const { log } = this.#options;
    if (other !== null)
      log.error('failed to load the fleet document; serving the local copy and retrying', {
        error: messageOf(error),
        ...(other.document === null ? { copy: 'none; no requests are served until the document can be loaded' } : {}),
      });
    return other;
  }

  /** Starts following the fleet. Call after the first document is active. */
  begin(reconciler: Reconciler): void {
    this.#start?.begin(reconciler);
  }

  async close(): Promise<void> {
    await this.#start?.close();
  }

  /** Leaves the fleet. The server keeps running with its current configuration, including the overlays of this machine. */
  async #leave(reconciler: Reconciler): Promise<void> {
    const start = this.#start;
    if (start === null || this.handle.membership === null)
      throw new SluiceError('ERR_FLEET_NONE', 'this server is not a fleet member', { status: 404 });
    const { view } = this.handle;
    await start.leave();
    this.#start = null;
    await reconciler.change(
      (document) => {
        this.handle.view = null;
        return withoutFleet(view?.(document) ?? document);
      },
      { origin: 'fleet leave' },
    );
    this.#options.log.info('left the fleet; current configuration stays in effect on this server only');
  }

  async #open(document: Json): Promise<FleetStart> {
    const { flags, folder, log } = this.#options;
    const { FleetStart: Start } = await import('./fleet-start.ts');
    const registry = await standardRegistry(flags.module);
    return Start.open(document, { flags, folder, registry, handle: this.handle, log });
  }
}

/** Throws if a change would remove a running server from its fleet. */
function checkStays(before: Json, after: Json): void {
  for (const key of ['store', 'cluster']) {
    const [was, is] = [at(before, key), at(after, key)];
    if (was === undefined || (is !== undefined && jsonEqual(was, is))) continue;
    const message = `admin.fleet.${key} cannot be changed while the server is running; restart it with the new value`;
    throw new SluiceError('ERR_FLEET_SETTINGS', message, { status: 409 });
  }
}

function withoutFleet(document: Json): Json {
  if (
    at(document, 'store') === undefined &&
    at(document, 'overlays') === undefined &&
    at(document, 'member') === undefined
  )
    return document;
  return removeAt(document, ['admin', 'fleet']);
}

function at(document: Json, key: string): Json | undefined {
  let value: Json | undefined = document;
  for (const each of ['admin', 'fleet', key])
    value = value !== undefined && isObject(value) ? own(value, each) : undefined;
  return value;
}
