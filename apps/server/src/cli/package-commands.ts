/** Commands of third-party packages. Package manifests list the commands, and the code is loaded only when a command runs. */
import { configDirectory, SluiceError } from '@sluice/base';
import { Registry, type CommandSpec, type ModuleManifest } from '@sluice/registry';
import { findModules, sourceOf } from '../modules/find-modules.ts';
import { registerModules } from '../modules/register-modules.ts';
import { CommandTable } from './command-table.ts';

/**
 * Adds the commands of packages named with `--module`, and of packages in the configuration directory.
 *
 * If a command is `wanted`, loads only the package that contains it, because the package's code declares the command's options.
 */
export async function addPackageCommands(
  table: CommandTable,
  named: readonly string[],
  wanted: string | undefined,
): Promise<void> {
  for (const manifest of findModules({ named, cwd: process.cwd(), configuration: configDirectory() })) {
    const isWanted = manifest.commands.some(({ name }) => name === wanted);
    (isWanted ? await commandsOf(manifest) : described(manifest)).forEach(table.add);
  }
}

/** Creates commands that are only listed in the help output. */
function described({ commands, package: from }: ModuleManifest): readonly CommandSpec[] {
  const load = (): never => {
    throw new SluiceError('ERR_MODULE_LOAD', 'is not loaded', { where: `module package ${from}` });
  };
  return commands.map(({ name, help }) => ({ name, summary: help, options: [], load }));
}

async function commandsOf(manifest: ModuleManifest): Promise<readonly CommandSpec[]> {
  const registry = new Registry();
  const [error] = await registerModules(registry, [sourceOf(manifest)]);
  if (error !== undefined) throw error;
  const table = new CommandTable();
  registry.hooks.commands.call(table);
  const missing = manifest.commands.find(({ name }) => !table.has(name));
  if (missing === undefined) return table.list();
  throw new SluiceError(
    'ERR_MODULE_LOAD',
    `does not contribute the command ${missing.name}, although its package.json lists it`,
    { where: `module package ${manifest.package}` },
  );
}
