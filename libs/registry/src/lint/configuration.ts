/** A configuration to lint: the document and all modules in it. The modules are located with schemas and are not provisioned. */
import { isArray, isObject, own, type ConfigPath, type Json, type JsonObject } from '@sluice/base';
import type { ModuleDescriptor } from '../modules/descriptor.ts';
import type { KnownModule } from '../modules/known-module.ts';
import { moduleId } from '../modules/namespace.ts';
import type { Registry } from '../modules/registry.ts';
import { placesIn, type Places } from './module-places.ts';

/** Path from the document root to a value. It is a linked list, so extending it requires no copying. */
interface Way {
  readonly above: Way | null;
  readonly key: string;
}

class LintedModule {
  readonly id: string;
  /** Options as written, including the key that contains the module name. */
  readonly node: Json;
  /** The module whose options contain this module; `null` for apps and sections. */
  readonly parent: LintedModule | null;
  readonly #way: Way;
  #path: ConfigPath | null = null;

  constructor(id: string, node: Json, parent: LintedModule | null, way: Way) {
    this.id = id;
    this.node = node;
    this.parent = parent;
    this.#way = way;
  }

  /** Path in the configuration document, computed on first use. */
  get path(): ConfigPath {
    return (this.#path ??= pathOf(this.#way));
  }
}

function pathOf(last: Way): ConfigPath {
  const path: string[] = [];
  for (let way: Way | null = last; way !== null; way = way.above) path.push(way.key);
  return path.reverse();
}

export class LintedConfiguration {
  readonly registry: Registry;
  readonly document: Json;
  readonly modules: readonly LintedModule[];
  readonly #byId: ReadonlyMap<string, readonly LintedModule[]>;
  readonly #memory = new Map<unknown, unknown>();

  constructor(registry: Registry, document: Json, modules: readonly LintedModule[]) {
    this.registry = registry;
    this.document = document;
    this.modules = modules;
    this.#byId = Map.groupBy(modules, ({ id }) => id);
  }

  /** Returns the value at a path, or `undefined` if there is none. */
  valueAt(path: ConfigPath): Json | undefined {
    let node: Json | undefined = this.document;
    for (const key of path) node = isArray(node) ? node[Number(key)] : isObject(node) ? own(node, key) : undefined;
    return node;
  }

  /** Returns the modules with the given ID, in traversal order. */
  modulesOf(id: string): readonly LintedModule[] {
    return this.#byId.get(id) ?? [];
  }

  get ids(): Iterable<string> {
    return this.#byId.keys();
  }

  /** Caches a result that several checks need. Calls with the same function return the same value. */
  remember<T>(workOut: (configuration: this) => T): T {
    if (!this.#memory.has(workOut)) this.#memory.set(workOut, workOut(this));
    return this.#memory.get(workOut) as T;
  }
}

/** A module whose options will be traversed after its code is loaded. */
interface Waiting {
  readonly module: LintedModule;
  readonly known: KnownModule;
  readonly way: Way;
}

/** Finds the modules in a document. Loads descriptors only for these modules. */
export async function readConfiguration(registry: Registry, document: Json): Promise<LintedConfiguration> {
  const reader = new Reader(registry);
  reader.visitRoot(document);
  for (let waiting = reader.takeWaiting(); waiting.length > 0; waiting = reader.takeWaiting()) {
    await Promise.all([...new Set(waiting.map(({ known }) => known))].map((known) => known.load()));
    for (const { module, known, way } of waiting) reader.visitOptions(module, known.descriptor, way);
  }
  return new LintedConfiguration(registry, document, reader.modules);
}

class Reader {
  readonly modules: LintedModule[] = [];
  readonly #registry: Registry;
  #waiting: Waiting[] = [];

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  takeWaiting(): readonly Waiting[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  visitRoot(document: Json): void {
    if (!isObject(document)) return;
    for (const [name, section] of this.#registry.sections()) {
      const node = own(document, name);
      if (node === undefined) continue;
      const way = { above: null, key: name };
      const module = new LintedModule(name, node, null, way);
      this.modules.push(module);
      this.visitOptions(module, section, way);
    }
    const apps = own(document, 'apps');
    if (apps !== undefined)
      this.#visit({ kind: 'map', namespace: '', key: '' }, apps, null, { above: null, key: 'apps' });
  }

  visitOptions(module: LintedModule, { config }: ModuleDescriptor, way: Way): void {
    const places = placesIn(config as unknown as JsonObject);
    if (places !== null) this.#visit(places, module.node, module, way);
  }

  #visit(places: Places, node: Json, parent: LintedModule | null, way: Way): void {
    if (isArray(node)) {
      if (places.kind !== 'list' && places.kind !== 'sets') return;
      const items: Places = places.kind === 'list' ? places.items : { ...places, kind: 'map' };
      for (const [index, item] of node.entries()) this.#visit(items, item, parent, { above: way, key: String(index) });
      return;
    }
    if (!isObject(node)) return;
    if (places.kind === 'inline') this.#module(places.namespace, own(node, places.key), node, { parent, way });
    else if (places.kind === 'map' || places.kind === 'object') {
      for (const [key, value] of Object.entries(node)) {
        if (key === '@id') continue;
        const below = { above: way, key };
        if (places.kind === 'object') this.#inner(places.named.get(key) ?? places.others, value, parent, below);
        else this.#module(places.namespace, key, value, { parent, way: below });
      }
    }
  }

  #inner(places: Places | null, node: Json, parent: LintedModule | null, way: Way): void {
    if (places !== null) this.#visit(places, node, parent, way);
  }

  #module(namespace: string, name: Json | undefined, node: Json, at: { parent: LintedModule | null; way: Way }): void {
    if (typeof name !== 'string') return;
    const module = new LintedModule(moduleId({ id: namespace }, name), node, at.parent, at.way);
    this.modules.push(module);
    const known = this.#registry.find({ id: namespace }, name);
    if (known === undefined) return;
    if (known.loaded === null) this.#waiting.push({ module, known, way: at.way });
    else this.visitOptions(module, known.loaded, at.way);
  }
}
