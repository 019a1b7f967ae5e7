/** The default configuration file in the working directory. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../failure.ts';

/** Default file names, in order of preference. */
const names = ['Caddyfile', 'sluice.json'];

/** Returns the default configuration file of a directory, or `null` if none exists. */
export function configFileIn(folder: string): string | null {
  return names.map((name) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

/**
 * Returns the given file, or the default in the working directory, or `undefined` if none exists. An explicit adapter
 * requires an explicit file.
 */
export function configFileOf(named: string | undefined, adapter?: string): string | undefined {
  if (named !== undefined) return named;
  if (adapter !== undefined && adapter !== 'caddyfile') return undefined;
  return names.find((name) => existsSync(name));
}

/** Like {@link configFileOf}, but throws if there is no file. */
export function requireConfigFile(command: string, named: string | undefined, adapter?: string): string {
  const file = configFileOf(named, adapter);
  if (file !== undefined) return file;
  throw new CommandError(`${command} requires a configuration: --config FILE, or a Caddyfile in the working directory`);
}
