import { configDirectory } from '@sluice/base';
import { Registry } from '@sluice/registry';
import { findModules, sourceOf } from '../modules/find-modules.ts';
import { registerModules } from '../modules/register-modules.ts';
import { registerStandard } from '../register-standard.ts';

/**
 * Creates the registry for commands that do not run a server. It contains the built-in modules, the given third-party packages, and the
 * packages in the configuration directory.
 */
export async function standardRegistry(named: readonly string[] = []): Promise<Registry> {
  const registry = new Registry();
  registerStandard(registry);
  const found = findModules({ named, cwd: process.cwd(), configuration: configDirectory() });
  await registerModules(registry, found.map(sourceOf));
  return registry;
}
