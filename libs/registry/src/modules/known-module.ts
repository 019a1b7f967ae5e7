/** Modules as a registry keeps them: known by their ids from the start, their code loaded when they are used. */
import { messageOf, SluiceError } from '@sluice/base';
import type { ModuleDescriptor } from './descriptor.ts';
import { moduleId, type Namespace } from './namespace.ts';

/**
 * A module in the index of a package: plain data that says how to load its code, so that what no configuration uses is
 * never loaded. Packages of ours have such an index made for them (`npm run module-index`); one of a third party may write
 * its own:
 *
 *     registry.add({ namespace: 'http.handlers', name: 'hello', load: async () => (await import('./hello.js')).hello });
 */
export interface ListedModule {
  /** Id of its namespace; the empty text for an app. */
  readonly namespace: string;
  readonly name: string;
  /** Loads its descriptor, which has to be of this namespace and name. */
  load(): Promise<ModuleDescriptor>;
}

/** A module of a registry. Several registries may share one, and so load it once. */
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

  /** Its descriptor if it is loaded, else `null`. */
  get loaded(): ModuleDescriptor | null {
    return this.#loaded;
  }

  /** Its descriptor, for who has waited for `Registry.loadAll`. */
  get descriptor(): ModuleDescriptor {
    if (this.#loaded !== null) return this.#loaded;
    throw new SluiceError('ERR_MODULE_LOAD', `module ${this.id} was accessed before it was loaded: wait for loadAll()`);
  }

  /** Loads it, once. An attempt that failed is made again at the next call: the reason may be gone. */
  load(): Promise<ModuleDescriptor> {
    if (this.#loaded !== null) return Promise.resolve(this.#loaded);
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<ModuleDescriptor> {
    try {
      const descriptor = await (this.#listed as ListedModule).load();
      const { id } = descriptor;
      if (id !== this.id) throw new SluiceError('ERR_MODULE_LOAD', `the loaded module is ${id}`);
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

/** Finds modules; the registry as those see it who only look things up. */
export interface ModuleLookup {
  /** The module of a name in a namespace, or `undefined`. */
  find(of: Namespace<unknown>, name: string): KnownModule | undefined;
  /** All modules of a namespace id, sorted by name. */
  inNamespace(id: string): KnownModule[];
}
