/**
 * Registry for commands that describe modules without running them. Third-party modules are registered from their package.json, so their
 * code is not run.
 */
import { configDirectory, SluiceError } from '@sluice/base';
import { Registry, type ManifestModule, type ModuleDescriptor } from '@sluice/registry';
import { findModules } from '../modules/find-modules.ts';
import { registerStandard } from '../register-standard.ts';

/**
 * Returns a registry with the built-in modules and with the modules that third-party packages describe. It includes the named packages and
 * the packages in the configuration directory.
 */
export async function describedRegistry(named: readonly string[] = []): Promise<Registry> {
  const registry = new Registry();
  registerStandard(registry);
  for (const manifest of findModules({ named, cwd: process.cwd(), configuration: configDirectory() })) {
    const origin = { package: manifest.package, version: manifest.version, standard: false };
    registry.use((inner) => manifest.modules.forEach((described) => inner.add(descriptorOf(described))), origin);
  }
  await registry.loadAll();
  return registry;
}

function descriptorOf({ id, help, options }: ManifestModule): ModuleDescriptor {
  const dot = id.lastIndexOf('.');
  return {
    id,
    name: id.slice(dot + 1),
    namespace: id.slice(0, Math.max(dot, 0)),
    help,
    config: options ?? {},
    provision: () => {
      throw new SluiceError('ERR_COMMAND', `module ${id} is registered only for documentation and cannot run`);
    },
  };
}
