/** The registry contains all modules by namespace, and the hooks that extend the control plane. */
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
 * Hooks through which packages extend a server. Each hook is called once, in the control thread.
 *
 * `server` is called when the reconciler exists. Taps can follow its changes through `server.hooks`. `adminRoutes` collects endpoints when
 * the admin API starts.
 *
 * `commands` is called only by the command line, to collect commands.
 */
export interface RegistryHooks {
  readonly server: SyncHook<[RunningServer]>;
  readonly adminRoutes: SyncHook<[AdminRoutes]>;
  readonly commands: SyncHook<[Commands]>;
}

/** Type of the `register` function that a module package exports. */
export type Register = (registry: Registry) => void;

/** Origin of a module, for `list-modules`. */
export interface ModuleOrigin {
  /** npm package name and version; `null` for modules that tests register. */
  readonly package: string | null;
  readonly version: string | null;
  readonly standard: boolean;
}

/** The server's registry, for modules that look up contributions of other packages, such as adapters. */
export const registryToken: Token<Registry> = token('registry');

const unknownOrigin: ModuleOrigin = { package: null, version: null, standard: true };

/** Contains all modules. There is no global registry: the server and each test create a separate one. */
export class Registry implements ModuleLookup {
  readonly hooks: RegistryHooks = {
    server: new SyncHook(['server']),
    adminRoutes: new SyncHook(['routes']),
    commands: new SyncHook(['commands']),
  };
  readonly #modules = new Map<string, KnownModule>();
  readonly #sections = new Map<string, ModuleDescriptor>();
  readonly #origins = new Map<string, ModuleOrigin>();
  /** Reasons why modules are unavailable, by module ID. */
  readonly #unavailable = new Map<string, string>();
  readonly #checks: ConfigCheck[] = [];
  /** Contributions by contribution point ID. The point determines the type of the inner map. */
  readonly #contributions = new Map<string, unknown>();
  #origin = unknownOrigin;

  /** Adds modules: descriptors, index entries with loaders, or modules from another registry. */
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
   * Adds a top-level configuration section next to `apps`, such as `logging`.
   *
   * Sections are provisioned before apps. A section that the document doesn't contain gets `{}`. Modules access the instance through an app
   * token with the section's name.
   */
  addSection(descriptor: ModuleDescriptor): this {
    if (this.#sections.has(descriptor.name))
      throw new SluiceError('ERR_MODULE_DUPLICATE', `section ${descriptor.name} is already registered`);
    this.#sections.set(descriptor.name, descriptor);
    return this;
  }

  /** Adds a configuration check; see {@link ConfigCheck}. Throws if the name is already in use. */
  addCheck(check: ConfigCheck): this {
    if (this.#checks.some(({ name }) => name === check.name))
      throw new SluiceError('ERR_MODULE_DUPLICATE', `check ${check.name} is already registered`);
    this.#checks.push(check);
    return this;
  }

  /** Returns the checks in registration order. */
  checks(): readonly ConfigCheck[] {
    return this.#checks;
  }

  /** Adds contributions. Throws if the point already has a contribution with the same name. */
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

  /** Returns the contributions to a point by name, in registration order. */
  contributions<T extends Contribution>(point: ContributionPoint<T>): ReadonlyMap<string, T> {
    return (this.#contributions.get(point.id) as ReadonlyMap<string, T> | undefined) ?? new Map<string, T>();
  }

  /** Returns the sections by key, in registration order. */
  sections(): ReadonlyMap<string, ModuleDescriptor> {
    return this.#sections;
  }

  /** Runs the `register` function of a package, and records the origin of its modules. */
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

  /** Returns the module with the given name in a namespace, or `undefined` if there is none. */
  find(of: Namespace<unknown>, name: string): KnownModule | undefined {
    return this.#modules.get(moduleId(of, name));
  }

  /** Returns all modules in a namespace, sorted by name. */
  inNamespace(id: string): KnownModule[] {
    return this.list().filter((module) => module.namespace === id);
  }

  /** Returns all modules, sorted by ID. */
  list(): KnownModule[] {
    return [...this.#modules.values()].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  }

  /** Loads all modules, for example to generate the configuration schema. */
  async loadAll(): Promise<void> {
    await Promise.all([...this.#modules.values()].map((module) => module.load()));
  }

  /** Records modules of an installed package that can't be loaded. Only configurations that use these modules are rejected. */
  addUnavailable(ids: readonly string[], reason: string): void {
    for (const id of ids) this.#unavailable.set(id, reason);
  }

  /** Returns the reason why a module is unavailable. Returns `undefined` if no package contains the module. */
  reasonUnavailable(id: string): string | undefined {
    return this.#unavailable.get(id);
  }

  originOf(id: string): ModuleOrigin {
    return this.#origins.get(id) ?? unknownOrigin;
  }
}
