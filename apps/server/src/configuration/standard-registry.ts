import { configDirectory } from '@sluice/base';
import { Registry } from '@sluice/registry';
import { findModules, sourceOf } from '../modules/find-modules.ts';
import { registerModules } from '../modules/register-modules.ts';
import { registerStandard } from '../register-standard.ts';

/**
 * Creates the registry of a command that does not run a server: built-in modules and third-party packages, both named
 * ones and those in the configuration directory.
 */
export async function standardRegistry(named: readonly string[] = []): Promise<Registry> {
  const registry = new Registry();
  registerStandard(registry);
  const found = findModules({ named, cwd: process.cwd(), configuration: configDirectory() });
  await registerModules(registry, found.map(sourceOf));
  return registry;
}
