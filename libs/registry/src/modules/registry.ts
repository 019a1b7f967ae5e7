/** The registry: which modules there are, by namespace, and the hooks at the seams of the control plane. */
import { SyncHook } from 'tapable';
import { SluiceError } from '@sluice/base';
import type { ConfigCheck } from '../checks/check.ts';
import type { AdminRoutes } from './admin-routes.ts';
import type { Commands } from './command.ts';
import type { Contribution, ContributionPoint } from './contribution.ts';
import type { ModuleDescriptor } from './descriptor.ts';
import { KnownModule, type ListedModule, type ModuleLookup } from './known-module.ts';
import { moduleId, token, type Namespace, type Token } from './namespace.ts';
import type { RunningServer } from './running-server.ts';

/**
 * Hooks at which packages join a server, each called once, in the control thread alone: `server` when there is a reconciler,
 * whose changes can then be followed (`server.hooks`); `adminRoutes` when the admin API starts, to collect routes.
 * `commands` is called where there is no server: by the command line, to collect commands.
 */
export interface RegistryHooks {
  readonly server: SyncHook<[RunningServer]>;
  readonly adminRoutes: SyncHook<[AdminRoutes]>;
  readonly commands: SyncHook<[Commands]>;
}

/** A package of modules: what its `register` export looks like. */
export type Register = (registry: Registry) => void;

/** Where a module came from, for `list-modules`. */
export interface ModuleOrigin {
  /** npm package name and version, or `null` for a module that a test registered. */
  readonly package: string | null;
  readonly version: string | null;
  readonly standard: boolean;
}

/** The registry of the server, for modules that look up what others bring, such as adapters. */
export const registryToken: Token<Registry> = token('registry');

const unknownOrigin: ModuleOrigin = { package: null, version: null, standard: true };

/** Holds the modules that there are. There is no ambient registry: the server makes one, a test makes its own. */
export class Registry implements ModuleLookup {
  readonly hooks: RegistryHooks = {
    server: new SyncHook(['server']),
    adminRoutes: new SyncHook(['routes']),
    commands: new SyncHook(['commands']),
  };
  readonly #modules = new Map<string, KnownModule>();
  readonly #sections = new Map<string, ModuleDescriptor>();
  readonly #origins = new Map<string, ModuleOrigin>();
  /** Reasons by module id. */
  readonly #unavailable = new Map<string, string>();
  readonly #checks: ConfigCheck[] = [];
  /** By id of the point: a map of what was contributed, whose type the point knows. */
  readonly #contributions = new Map<string, unknown>();
  #origin = unknownOrigin;

  /** Adds modules: descriptors, entries of an index that are loaded when they are used, or those of another registry. */
  add(...modules: readonly (ModuleDescriptor | ListedModule | KnownModule)[]): this {
    for (const module of modules) {
      const known = module instanceof KnownModule ? module : new KnownModule(module);
      if (this.#modules.has(known.id)) {
        throw new SluiceError(
          'ERR_MODULE_DUPLICATE',
          `module ${known.id} is already registered; two packages contribute the same ID`,
        );
      }
      this.#modules.set(known.id, known);
      this.#origins.set(known.id, this.#origin);
    }
    return this;
  }

  /**
   * Adds a top-level section of the configuration beside `apps`, such as `logging`. It is provisioned before the apps,
   * with `{}` where the document lacks it, and modules reach its instance by an app token of its name.
   */
  addSection(descriptor: ModuleDescriptor): this {
    if (this.#sections.has(descriptor.name))
      throw new SluiceError('ERR_MODULE_DUPLICATE', `section ${descriptor.name} is already registered`);
    this.#sections.set(descriptor.name, descriptor);
    return this;
  }

  /** Adds a check of configurations; see {@link ConfigCheck}. A second check of one name is an error. */
  addCheck(check: ConfigCheck): this {
    if (this.#checks.some(({ name }) => name === check.name))
      throw new SluiceError('ERR_MODULE_DUPLICATE', `check ${check.name} is already registered`);
    this.#checks.push(check);
    return this;
  }

  /** The checks, in the order they were added. */
  checks(): readonly ConfigCheck[] {
    return this.#checks;
  }

  /** Adds what a package brings beside modules. A second contribution of one name to one point is an error. */
  contribute<T extends Contribution>(point: ContributionPoint<T>, ...contributions: readonly T[]): this {
    const known = new Map(this.contributions(point));
    for (const each of contributions) {
      if (known.has(each.name))
        throw new SluiceError('ERR_MODULE_DUPLICATE', `${point.id} ${each.name} is already registered`);
      known.set(each.name, each);
    }
    this.#contributions.set(point.id, known);
    return this;
  }

  /** The contributions to a point by name, in the order they were added. */
  contributions<T extends Contribution>(point: ContributionPoint<T>): ReadonlyMap<string, T> {
    return (this.#contributions.get(point.id) as ReadonlyMap<string, T> | undefined) ?? new Map<string, T>();
  }

  /** The sections by key, in the order they were added. */
  sections(): ReadonlyMap<string, ModuleDescriptor> {
    return this.#sections;
  }

  /** Runs a package's `register`, remembering where its modules came from. */
  use(register: Register, origin: ModuleOrigin = unknownOrigin): this {
    const outer = this.#origin;
    this.#origin = origin;
    try {
      register(this);
    } finally {
      this.#origin = outer;
    }
    return this;
  }

  /** The module of a name in a namespace, or `undefined`. */
  find(of: Namespace<unknown>, name: string): KnownModule | undefined {
    return this.#modules.get(moduleId(of, name));
  }

  /** All modules of a namespace id, sorted by name. */
  inNamespace(id: string): KnownModule[] {
    return this.list().filter((module) => module.namespace === id);
  }

  /** All modules, sorted by id. */
  list(): KnownModule[] {
    return [...this.#modules.values()].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  }

  /** Loads every module, for who describes them all, such as the schema of the configuration. */
  async loadAll(): Promise<void> {
    await Promise.all([...this.#modules.values()].map((module) => module.load()));
  }

  /** Records modules of an installed package that cannot be loaded: only a configuration that uses one of them is refused. */
  addUnavailable(ids: readonly string[], reason: string): void {
    for (const id of ids) this.#unavailable.set(id, reason);
  }

  /** Returns the reason why a module that is not registered is unavailable, or `undefined` if no package has it. */
  reasonUnavailable(id: string): string | undefined {
    return this.#unavailable.get(id);
  }

  /** Where a module came from. */
  originOf(id: string): ModuleOrigin {
    return this.#origins.get(id) ?? unknownOrigin;
  }
}
