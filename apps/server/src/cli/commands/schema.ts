/** `sluice schema`. Third-party modules are in it as their package.json describes them; their code does not run. */
import { configDirectory } from '@sluice/base';
import { configSchema, Registry, type ManifestModule, type ModuleDescriptor } from '@sluice/registry';
import { findModules } from '../../modules/find-modules.ts';
import { registerStandard } from '../../register-standard.ts';

/** Prints the JSON Schema of the configuration. */
export async function schema({ module }: { readonly module?: readonly string[] }): Promise<number> {
  const registry = new Registry();
  registerStandard(registry);
  for (const manifest of findModules({ named: module ?? [], cwd: process.cwd(), configuration: configDirectory() })) {
    const origin = { package: manifest.package, version: manifest.version, standard: false };
    registry.use((inner) => manifest.modules.forEach((described) => inner.add(descriptorOf(described))), origin);
  }
  await registry.loadAll();
  process.stdout.write(`${JSON.stringify(configSchema(registry), null, 2)}\n`);
  return 0;
}

/** A module that is described and never made. */
function descriptorOf({ id, help, options }: ManifestModule): ModuleDescriptor {
  const dot = id.lastIndexOf('.');
  return {
    id,
    name: id.slice(dot + 1),
    namespace: id.slice(0, Math.max(dot, 0)),
    help,
    config: options ?? {},
    provision: () => {
      throw new Error(`${id} is only described here`);
    },
  };
}
