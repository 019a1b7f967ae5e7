/** Resolves module names in a configuration and provisions the modules with their options. */
import { closest, isObject, type Json, configError, messageOf } from '@sluice/base';
import {
  type KnownModule,
  type ModuleDescriptor,
  moduleId,
  type Namespace,
  type Registry,
  checkOptions,
  moduleKeyword,
  type ModuleReference,
  withoutIds,
} from '@sluice/registry';
import type { NamedNode, ProvisionContext } from './provision-context.ts';

/** Returns the module with the given name. If there is none, throws an error that contains the path `where`. */
export function findModule(registry: Registry, of: Namespace<unknown>, name: string, where: () => string): KnownModule {
  const found = registry.find(of, name);
  if (found !== undefined) return found;
  const reason = registry.reasonUnavailable(moduleId(of, name));
  if (reason !== undefined) throw configError(where(), `module ${moduleId(of, name)} is not available: ${reason}`);
  const known = registry.inNamespace(of.id).map((module) => module.name);
  const near = closest(name, known, 3);
  const hint = near === null ? '' : `did you mean ${near}? `;
  const all = `${of.id === '' ? 'apps are' : `${of.id} has`} ${known.join(', ') || 'no module'}`;
  throw configError(where(), `unknown module: ${moduleId(of, name)}; ${hint}${all}`);
}

/** Loads the code of a module. A failure rejects the configuration. */
export async function loadModule(registry: Registry, module: KnownModule, where: string): Promise<ModuleDescriptor> {
  try {
    return await module.load();
  } catch (error) {
    const { package: name } = registry.originOf(module.id);
    throw configError(where, `${messageOf(error)}${name === null ? '' : ` (package ${name})`}`, error);
  }
}

/** A module that is referenced by name in a configuration. */
export interface HostedModule extends Omit<NamedNode, 'name'> {
  readonly descriptor: ModuleDescriptor;
  /** True to validate the module's options. */
  readonly check: boolean;
}

export function provisionModule(
  { descriptor, node, nameKey, check }: HostedModule,
  context: ProvisionContext,
): unknown {
  const config = withoutIds(descriptor.config, withoutMeta(node, nameKey));
  if (check) checkOptions(descriptor, config, () => context.where(), context.previousConfig);
  return descriptor.provision(config as never, context);
}

/** Checks that a section which is itself a module, such as `storage`, contains a module name. */
export function checkReference({ name, config }: ModuleDescriptor, node: Json): void {
  const reference = (config as { readonly [moduleKeyword]?: ModuleReference })[moduleKeyword];
  if (reference?.key === undefined || (isObject(node) && Object.hasOwn(node, reference.key))) return;
  throw configError(name, `module name of ${reference.namespace} is missing: set ${JSON.stringify(reference.key)}`);
}

function withoutMeta(node: Json, nameKey: string | null): Json {
  if (!isObject(node) || (nameKey === null && !Object.hasOwn(node, '@id'))) return node;
  // Use destructuring instead of deleting keys from a copy: V8 converts such a copy to dictionary mode, and modules keep their options.
  const { [nameKey ?? '@id']: _name, '@id': _id, ...rest } = node;
  return rest;
}
