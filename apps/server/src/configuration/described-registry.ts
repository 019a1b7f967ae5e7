/** The registry of commands that tell of modules and make none. Third-party modules are in it as their package.json describes them; their code does not run. */
import { configDirectory, SluiceError } from '@sluice/base';
import { Registry, type ManifestModule, type ModuleDescriptor } from '@sluice/registry';
import { findModules } from '../modules/find-modules.ts';
import { registerStandard } from '../register-standard.ts';

/** All that ships with the server, and what third-party packages say of their modules: those named, and those of the configuration folder. */
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
      throw new SluiceError('ERR_COMMAND', `${id} is only described here`);
    },
  };
}
