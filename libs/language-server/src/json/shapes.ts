/** Determines what is allowed at a configuration path: options from schemas, and modules from namespaces. */
import { isArray, isObject, own, type ConfigPath, type JsonObject } from '@sluice/base';
import { moduleId, moduleKeyword, type ModuleDescriptor, type ModuleReference, type Registry } from '@sluice/registry';
import type { JsonNode } from './parse.ts';
import { entryOf } from './places.ts';

/** A kind of value that is allowed at a position. */
export type Shape =
  /** The whole configuration. */
  | { readonly kind: 'root' }
  /** A value that a schema describes. */
  | { readonly kind: 'schema'; readonly schema: JsonObject; readonly module: ModuleDescriptor | null }
  | { readonly kind: 'modules'; readonly namespace: string; readonly help: string }
  /** A module from a namespace. The property `key` contains the module name. */
  | { readonly kind: 'module'; readonly namespace: string; readonly key: string; readonly help: string }
  /** A module name. */
  | { readonly kind: 'name'; readonly namespace: string };

/** Returns the modules directly in a namespace, without nested namespaces. */
export function modulesOf(registry: Registry, namespace: string): readonly ModuleDescriptor[] {
  return registry.inNamespace(namespace).map(({ descriptor }) => descriptor);
}

/** Returns a module by namespace and name, or `null` if it doesn't exist. */
export function moduleOf(registry: Registry, namespace: string, name: string): ModuleDescriptor | null {
  return registry.find({ id: namespace }, name)?.descriptor ?? null;
}

/** Returns the module ID for a namespace and a name, even if the module doesn't exist. */
export function idOf(namespace: string, name: string): string {
  return moduleId({ id: namespace }, name);
}

/**
 * Returns the shapes that are allowed at a configuration path. Also evaluates the values along the path, because an object names the module
 * that defines its options.
 */
export function shapesAt(registry: Registry, root: JsonNode | null, path: ConfigPath): readonly Shape[] {
  let shapes: readonly Shape[] = [{ kind: 'root' }];
  let node = root;
  for (const key of path) {
    const here = node;
    shapes = shapes.flatMap((shape) => step(registry, shape, here, key));
    node = childOf(node, key);
  }
  return shapes;
}

function childOf(node: JsonNode | null, key: string): JsonNode | null {
  if (node?.kind === 'object') return entryOf(node, key)?.value ?? null;
  return node?.kind === 'array' ? (node.items[Number(key)] ?? null) : null;
}

export function step(registry: Registry, shape: Shape, node: JsonNode | null, key: string): readonly Shape[] {
  switch (shape.kind) {
    case 'root': {
      if (key === 'apps') return [{ kind: 'modules', namespace: '', help: 'Apps by name.' }];
      const section = registry.sections().get(key);
      return section === undefined ? [] : ofModule(section);
    }
    case 'modules': {
      const module = moduleOf(registry, shape.namespace, key);
      return module === null ? [] : ofModule(module);
    }
    case 'module': {
      if (key === shape.key) return [{ kind: 'name', namespace: shape.namespace }];
      const module = namedModule(registry, shape, node);
      return module === null ? [] : ofModule(module).flatMap((each) => step(registry, each, node, key));
    }
    case 'schema':
      return childSchemas(shape.schema, key).flatMap(ofSchema);
    case 'name':
      return [];
  }
}

/** Returns the module that an object names, or `null` if there is none. */
export function namedModule(
  registry: Registry,
  { namespace, key }: { readonly namespace: string; readonly key: string },
  node: JsonNode | null,
): ModuleDescriptor | null {
  const name = node?.kind === 'object' ? entryOf(node, key)?.value : undefined;
  return name?.kind === 'scalar' && typeof name.value === 'string' ? moduleOf(registry, namespace, name.value) : null;
}

/** Returns the shapes of a module's options. */
export function ofModule(module: ModuleDescriptor): readonly Shape[] {
  return ofSchema(module.config as unknown as JsonObject).map((shape) =>
    shape.kind === 'schema' ? { ...shape, module } : shape,
  );
}

/** Returns the shapes that a schema allows: its alternatives, including modules that the option hosts. */
function ofSchema(schema: JsonObject): readonly Shape[] {
  const reference = own(schema, moduleKeyword) as ModuleReference | undefined;
  const help = helpOf(schema);
  if (reference !== undefined) {
    const { namespace, key = '' } = reference;
    if (reference.kind === 'map') return [{ kind: 'modules', namespace, help }];
    if (reference.kind === 'inline') return [{ kind: 'module', namespace, key, help }];
    const items = { type: 'object', [moduleKeyword]: { namespace, kind: 'map' } };
    return [{ kind: 'schema', schema: { description: help, type: 'array', items }, module: null }];
  }
  const alternatives = own(schema, 'anyOf');
  if (!isArray(alternatives)) return [{ kind: 'schema', schema, module: null }];
  return alternatives.filter((each) => isObject(each)).flatMap(ofSchema);
}

export function helpOf(schema: JsonObject): string {
  const description = own(schema, 'description');
  if (typeof description === 'string') return description;
  const alternatives = own(schema, 'anyOf');
  if (!isArray(alternatives)) return '';
  return alternatives.map((each) => (isObject(each) ? helpOf(each) : '')).find((help) => help !== '') ?? '';
}

/** Returns the options of a schema by name. */
export function propertiesOf(schema: JsonObject): readonly (readonly [string, JsonObject])[] {
  const properties = own(schema, 'properties');
  if (!isObject(properties)) return [];
  return Object.entries(properties).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
}

function childSchemas(schema: JsonObject, key: string): JsonObject[] {
  const properties = own(schema, 'properties');
  const named = isObject(properties) ? own(properties, key) : undefined;
  const patterns = own(schema, 'patternProperties');
  const free = isObject(patterns) ? Object.values(patterns) : [own(schema, 'additionalProperties')];
  const all = own(schema, 'type') === 'array' ? [own(schema, 'items')] : named === undefined ? free : [named];
  return all.filter((each): each is JsonObject => each !== undefined && isObject(each));
}
