/**
 * Prevents changes that another fleet member cannot load because that member lacks a module.
 *
 * Members with the same modules need no check. The store contains the module lists of other members.
 */
import { messageOf, own, SluiceError, type Logger } from '@sluice/base';
import { readMemberList, type MemberEntry } from '../member-list/member-list.ts';
import { writeOrders } from '../member-list/orders.ts';
import type { FleetStore } from '../store.ts';
import type { MemberEnvironment } from '../environment.ts';
import { decodeModules, encodeModules, hashOfModules, listKey, type ModuleList } from './module-list.ts';

/** A module that a change requires. */
export interface NeededModule {
  readonly id: string;
  /** Configuration path. */
  readonly path: string;
}

/** Maximum age of the cached member list, in milliseconds. */
const maxAge = 1000;

interface ModuleCheckOptions {
  readonly store: FleetStore;
  readonly name: string;
  readonly modules: ModuleList;
  readonly environment: MemberEnvironment;
  readonly log: Logger;
}

/** A fleet member that lacks a required module. */
export interface LackingMember extends NeededModule {
  readonly member: string;
}

/** Checks whether other members have the modules that a change requires. */
export class ModuleCheck {
  /** Hash of this member's module list. */
  readonly hash: string;
  readonly #options: ModuleCheckOptions;
  readonly #lists = new Map<string, ModuleList>();
  readonly #warned = new Set<string>();
  #memberCache: { readonly at: number; readonly entries: readonly MemberEntry[] } | null = null;

  constructor(options: ModuleCheckOptions) {
    this.#options = options;
    this.hash = hashOfModules(options.modules);
    this.#lists.set(this.hash, options.modules);
  }

  /** Publishes this member's module list, unless a member with the same modules has already published it. */
  async publish(): Promise<void> {
    const { store, name, modules, environment } = this.#options;
    const key = listKey(this.hash);
    if ((await store.values(key)).has(key)) return;
    await writeOrders({ store, name, id: environment.id() }, [{ key, value: encodeModules(modules) }]);
  }

  /** Throws an error with status 409 if a member cannot load a change. The error contains the first such member, the module, and its path. */
  async check(needed: readonly NeededModule[]): Promise<void> {
    const [lacking] = await this.lacking(needed);
    if (lacking === undefined) return;
    const { member, id, path } = lacking;
    const message = `member ${member} does not have module ${id}, which the change requires at ${path}; nothing was changed; install the module on that member, or remove the member from the fleet`;
    throw new SluiceError('ERR_FLEET_MODULES', message, { status: 409 });
  }

  /** Returns the members that lack a module which the change requires. Each result contains the first missing module. */
  async lacking(needed: readonly NeededModule[]): Promise<readonly LackingMember[]> {
    const found: LackingMember[] = [];
    // Ignore built-in sections such as `admin`, because the module lists do not contain them.
    const modules = needed.filter(({ id }) => this.#options.modules.has(id));
    for (const { name, hash } of await this.others()) {
      const list = await this.#listOf(hash);
      const missing = list === null ? undefined : modules.find(({ id }) => !list.has(id));
      if (missing !== undefined) found.push({ member: name, ...missing });
    }
    return found;
  }

  /** Returns the members that have different modules than this member. */
  async others(): Promise<readonly { readonly name: string; readonly hash: string }[]> {
    const known = this.#memberCache;
    const isFresh = known !== null && this.#options.environment.now() - known.at < maxAge;
    const entries = isFresh ? known.entries : await this.look();
    return entries.flatMap(({ name, about }) => {
      const hash = own(about, 'modules');
      return typeof hash === 'string' && hash !== this.hash ? [{ name, hash }] : [];
    });
  }

  /** Reads the current members. Dry runs, which are rare, call this method directly. */
  async look(): Promise<readonly MemberEntry[]> {
    const { store, environment } = this.#options;
    const { members, unreadable } = await readMemberList(store);
    for (const { key, reason } of unreadable) this.#warn(key, reason);
    this.#memberCache = { at: environment.now(), entries: members };
    return this.#memberCache.entries;
  }

  /** Returns the module list with the given hash. Returns `null` if the list has not been published yet. */
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

  /** Logs a warning once per store entry, because the entry may remain in the store. */
  #warn(key: string, reason: string): void {
    if (this.#warned.has(key)) return;
    this.#warned.add(key);
    this.#options.log.warn('skipping unreadable entry in the fleet store', { key, reason });
  }
}
