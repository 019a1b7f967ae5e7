/**
 * Sees to it that no change is made that a member cannot load for lack of a module. Members that have the same modules are not asked
 * anything; what the others have stands in the store.
 */
import { messageOf, own, SluiceError, type Logger } from '@sluice/base';
import { readWholeRoll, type RollEntry } from '../roll/roll.ts';
import { writeOrders } from '../roll/orders.ts';
import type { FleetStore } from '../store.ts';
import type { Surroundings } from '../surroundings.ts';
import { decodeModules, encodeModules, hashOfModules, listKey, type ModuleList } from './module-list.ts';

/** A module that a change needs. */
export interface NeededModule {
  readonly id: string;
  /** Where it stands. */
  readonly path: string;
}

/** How long what is known of the members is taken for granted, in milliseconds. */
const patience = 1000;

/** What it is made with. */
interface ModuleCheckOptions {
  readonly store: FleetStore;
  readonly name: string;
  readonly modules: ModuleList;
  readonly surroundings: Surroundings;
  readonly log: Logger;
}

/** What a member has not. */
export interface LackingMember extends NeededModule {
  readonly member: string;
}

/** The check of one member. */
export class ModuleCheck {
  /** What stands for the modules of this member. */
  readonly hash: string;
  readonly #options: ModuleCheckOptions;
  readonly #lists = new Map<string, ModuleList>();
  readonly #warned = new Set<string>();
  #roll: { readonly at: number; readonly entries: readonly RollEntry[] } | null = null;

  constructor(options: ModuleCheckOptions) {
    this.#options = options;
    this.hash = hashOfModules(options.modules);
    this.#lists.set(this.hash, options.modules);
  }

  /** Tells which modules this member has, where no one with the same has told. */
  async publish(): Promise<void> {
    const { store, name, modules, surroundings } = this.#options;
    const key = listKey(this.hash);
    if ((await store.values(key)).has(key)) return;
    await writeOrders({ store, name, id: surroundings.id() }, [{ key, value: encodeModules(modules) }]);
  }

  /** An error of status 409 that names the first member, module and place, where a member cannot load a change. */
  async check(needed: readonly NeededModule[]): Promise<void> {
    const [lacking] = await this.lacking(needed);
    if (lacking === undefined) return;
    const { member, id, path } = lacking;
    const message = `the member ${member} has no module ${id}, which the change needs at ${path}; nothing was changed: install the module there, or take the member out of the fleet`;
    throw new SluiceError('ERR_FLEET_MODULES', message, { status: 409 });
  }

  /** Members that lack what a change needs, each with the first of it. */
  async lacking(needed: readonly NeededModule[]): Promise<readonly LackingMember[]> {
    const found: LackingMember[] = [];
    // Sections such as admin are parts of the server, and in no list.
    const modules = needed.filter(({ id }) => this.#options.modules.has(id));
    for (const { name, hash } of await this.others()) {
      const list = await this.#listOf(hash);
      const missing = list === null ? undefined : modules.find(({ id }) => !list.has(id));
      if (missing !== undefined) found.push({ member: name, ...missing });
    }
    return found;
  }

  /** The members whose modules are others than those of this one. */
  async others(): Promise<readonly { readonly name: string; readonly hash: string }[]> {
    const known = this.#roll;
    const isFresh = known !== null && this.#options.surroundings.now() - known.at < patience;
    const entries = isFresh ? known.entries : await this.look();
    return entries.flatMap(({ name, about }) => {
      const hash = own(about, 'modules');
      return typeof hash === 'string' && hash !== this.hash ? [{ name, hash }] : [];
    });
  }

  /** Looks who the members are now. Called for dry runs, which are rare, by themselves. */
  async look(): Promise<readonly RollEntry[]> {
    const { store, surroundings } = this.#options;
    const { members, unreadable } = await readWholeRoll(store);
    for (const { key, reason } of unreadable) this.#warn(key, reason);
    this.#roll = { at: surroundings.now(), entries: members };
    return this.#roll.entries;
  }

  /** `null` where it was not told yet. */
  async #listOf(hash: string): Promise<ModuleList | null> {
    const known = this.#lists.get(hash);
    if (known !== undefined) return known;
    const key = listKey(hash);
    const text = (await this.#options.store.values(key)).get(key);
    if (text === undefined) return null;
    try {
      const list = decodeModules(text);
      this.#lists.set(hash, list);
      return list;
    } catch (error) {
      this.#warn(key, messageOf(error));
      return null;
    }
  }

  /** Once for each entry, as it may stay for ever. */
  #warn(key: string, reason: string): void {
    if (this.#warned.has(key)) return;
    this.#warned.add(key);
    this.#options.log.warn('skipping unreadable entry in the fleet store', { key, reason });
  }
}
