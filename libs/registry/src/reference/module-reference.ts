/** Reference documentation of modules: purpose, location and options, with lookup by path. */
import type { ModuleDescriptor } from '../modules/descriptor.ts';
import type { Registry } from '../modules/registry.ts';
import { describeOptions, type OptionReference } from './option-reference.ts';

/** A location where modules are allowed: the hosting module and the option keys. */
export interface Place {
  readonly host: string;
  readonly path: readonly string[];
}

/** A module, or a configuration section such as `logging`. */
export interface ModuleEntry {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly help: string;
  readonly section: boolean;
  /** Options of the module. If the module's options are a list or a map, these are the options of its elements. */
  readonly options: OptionReference;
}

/** All documented modules by ID. The registry's modules must have been loaded (`Registry.loadAll`). */
export class Reference {
  readonly entries: ReadonlyMap<string, ModuleEntry>;
  readonly #places = new Map<string, Place[]>();

  constructor(registry: Registry) {
    const sections = [...registry.sections().values()].map((section) => entryOf(section, true));
    const modules = registry.list().map(({ descriptor }) => entryOf(descriptor, false));
    this.entries = new Map([...sections, ...modules].map((entry) => [entry.id, entry]));
    for (const { id, options } of this.entries.values()) this.#collectPlaces(id, options, []);
  }

  /** Returns the modules in a namespace, sorted by name. */
  inNamespace(namespace: string): ModuleEntry[] {
    return [...this.entries.values()].filter((entry) => !entry.section && entry.namespace === namespace);
  }

  /** Returns all namespaces that contain modules, sorted. The namespace of apps is omitted. */
  namespaces(): string[] {
    const all = [...this.entries.values()].filter(({ section }) => !section).map(({ namespace }) => namespace);
    return [...new Set(all)].filter((each) => each !== '').sort();
  }

  placesOf(namespace: string): readonly Place[] {
    return this.#places.get(namespace) ?? [];
  }

  #collectPlaces(host: string, option: OptionReference, path: readonly string[]): void {
    const here = option.name === '' ? path : [...path, option.name];
    if (option.modules !== null) {
      const places = this.#places.get(option.modules.namespace) ?? [];
      places.push({ host, path: here });
      this.#places.set(option.modules.namespace, places);
    }
    for (const inner of option.options) this.#collectPlaces(host, inner, here);
  }
}

function entryOf({ id, name, namespace, help, config }: ModuleDescriptor, section: boolean): ModuleEntry {
  return { id, name, namespace, help, section, options: describeOptions(config) };
}
