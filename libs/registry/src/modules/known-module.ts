/** Registered modules. Their IDs are available from the start, and their code is loaded on demand. */
import { messageOf, SluiceError } from '@sluice/base';
import type { ModuleDescriptor } from './descriptor.ts';
import { moduleId, type Namespace } from './namespace.ts';

/**
 * An entry in a package's module index: plain data with a loader, so that unused code is never loaded.
 *
 * `npm run module-index` generates the index of built-in packages. Third-party packages can write their own:
 *
 *     registry.add({ namespace: 'http.handlers', name: 'hello', load: async () => (await import('./hello.js')).hello });
 */
export interface ListedModule {
  /** Namespace ID; empty for an app. */
  readonly namespace: string;
  readonly name: string;
  /** Loads the module descriptor, which must have this namespace and name. */
  load(): Promise<ModuleDescriptor>;
}

export function listed(namespace: string, loads: Readonly<Record<string, ListedModule['load']>>): ListedModule[] {
  return Object.entries(loads).map(([name, load]) => ({ namespace, name, load }));
}

/** A registered module. Registries that share a module load it only once. */
export class KnownModule {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  #loaded: ModuleDescriptor | null;
  #loading: Promise<ModuleDescriptor> | null = null;
  readonly #listed: ListedModule | null;

  constructor(module: ModuleDescriptor | ListedModule) {
    this.name = module.name;
    this.namespace = module.namespace;
    this.id = moduleId({ id: module.namespace }, module.name);
    this.#listed = 'load' in module ? module : null;
    this.#loaded = 'load' in module ? null : module;
  }

  /** Module descriptor if the module is loaded, otherwise `null`. */
  get loaded(): ModuleDescriptor | null {
    return this.#loaded;
  }

  /** Module descriptor. Throws if `Registry.loadAll` has not completed. */
  get descriptor(): ModuleDescriptor {
    if (this.#loaded !== null) return this.#loaded;
    throw new SluiceError(
      'ERR_MODULE_LOAD',
      `module ${this.id} was accessed before it was loaded; wait for loadAll() first`,
    );
  }

  /** Loads the module once. After a failure, the next call retries. */
  load(): Promise<ModuleDescriptor> {
    if (this.#loaded !== null) return Promise.resolve(this.#loaded);
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<ModuleDescriptor> {
    try {
      const descriptor = await (this.#listed as ListedModule).load();
      const { id } = descriptor;
      if (id !== this.id) throw new SluiceError('ERR_MODULE_LOAD', `the package provided module ${id} instead`);
      this.#loaded = descriptor;
      return descriptor;
    } catch (error) {
      throw new SluiceError('ERR_MODULE_LOAD', `module ${this.id} cannot be loaded: ${messageOf(error)}`, {
        status: 400,
        cause: error,
      });
    } finally {
      this.#loading = null;
    }
  }
}

/** Read-only access to the registry. */
export interface ModuleLookup {
  find(of: Namespace<unknown>, name: string): KnownModule | undefined;
  inNamespace(id: string): KnownModule[];
}
