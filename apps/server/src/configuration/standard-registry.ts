/** The registry of a command that runs no server. */
import { configDirectory } from '@sluice/base';
import { Registry } from '@sluice/registry';
import { findModules, sourceOf } from '../modules/find-modules.ts';
import { registerModules } from '../modules/register-modules.ts';
import { registerStandard } from '../register-standard.ts';

/** All that ships with the server, and third-party packages: those named, and those of the configuration folder. */
export async function standardRegistry(named: readonly string[] = []): Promise<Registry> {
  const registry = new Registry();
  registerStandard(registry);
  const found = findModules({ named, cwd: process.cwd(), configuration: configDirectory() });
  await registerModules(registry, found.map(sourceOf));
  return registry;
}
