/** Finds the modules in a configuration and their positions, without provisioning. */
import type { ConfigPath } from '@sluice/base';
import type { ModuleDescriptor, Registry } from '@sluice/registry';
import type { Span } from '../text/span.ts';
import type { JsonNode } from './parse.ts';
import { entryOf } from './places.ts';
import { idOf, moduleOf, modulesOf, ofModule, step, type Shape } from './shapes.ts';

/** A module and its options, with their position in the text. */
export interface PlacedModule {
  readonly module: ModuleDescriptor;
  readonly path: ConfigPath;
  readonly node: JsonNode;
  /** Key that contains the module name rather than an option; `null` if there is none. */
  readonly nameKey: string | null;
}

export interface UnknownModule extends Span {
  readonly name: string;
  readonly id: string;
  /** Available names. */
  readonly known: readonly string[];
}

/** Modules and unknown module names in a configuration. */
export interface Placed {
  readonly modules: readonly PlacedModule[];
  readonly unknown: readonly UnknownModule[];
}

/** Traverses a configuration. */
export function placeModules(registry: Registry, root: JsonNode): Placed {
  const walk = new Walk(registry);
  walk.visit({ kind: 'root' }, root, []);
  return walk;
}

class Walk implements Placed {
  readonly modules: PlacedModule[] = [];
  readonly unknown: UnknownModule[] = [];
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  visit(shape: Shape, node: JsonNode, path: ConfigPath): void {
    if (shape.kind === 'module') this.#inline(shape, node, path);
    else if (node.kind === 'array') {
      for (const [index, item] of node.items.entries()) this.#step(shape, node, [...path, String(index)], item);
    } else if (node.kind === 'object') {
      for (const { key, keySpan, value } of node.entries) {
        if (key === '@id' || value === null) continue;
        if (shape.kind === 'modules') this.#named(shape.namespace, key, keySpan, [value, [...path, key]]);
        else this.#step(shape, node, [...path, key], value);
      }
    }
  }

  #step(shape: Shape, node: JsonNode, path: ConfigPath, value: JsonNode): void {
    const key = path.at(-1) ?? '';
    const section = shape.kind === 'root' ? this.#registry.sections().get(key) : undefined;
    if (section !== undefined) this.#module(section, value, path, null);
    else for (const next of step(this.#registry, shape, node, key)) this.visit(next, value, path);
  }

  #inline({ namespace, key }: Shape & { kind: 'module' }, node: JsonNode, path: ConfigPath): void {
    const name = node.kind === 'object' ? entryOf(node, key)?.value : undefined;
    if (name?.kind !== 'scalar' || typeof name.value !== 'string') return;
    const module = moduleOf(this.#registry, namespace, name.value);
    if (module === null) this.#report(namespace, name.value, name);
    else this.#module(module, node, path, key);
  }

  #named(namespace: string, name: string, span: Span, [value, path]: readonly [JsonNode, ConfigPath]): void {
    const module = moduleOf(this.#registry, namespace, name);
    if (module === null) this.#report(namespace, name, span);
    else this.#module(module, value, path, null);
  }

  #module(module: ModuleDescriptor, node: JsonNode, path: ConfigPath, nameKey: string | null): void {
    this.modules.push({ module, path, node, nameKey });
    for (const shape of ofModule(module)) this.visit(shape, node, path);
  }

  #report(namespace: string, name: string, { start, end }: Span): void {
    const known = modulesOf(this.#registry, namespace).map((module) => module.name);
    this.unknown.push({ name, id: idOf(namespace, name), known, start, end });
  }
}
