/** Finds the default configuration file in the working directory. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../failure.ts';

/** Default names of configuration files, in order of preference. */
const names = ['Caddyfile', 'sluice.json'];

/** Returns the default configuration file in a directory, or `null` if there is none. */
export function configFileIn(folder: string): string | null {
  return names.map((name) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

/**
 * Returns the given file, or else the default file in the working directory. Returns `undefined` if there is none. An explicit adapter
 * requires an explicit file.
 */
export function configFileOf(named: string | undefined, adapter?: string): string | undefined {
  if (named !== undefined) return named;
  if (adapter !== undefined && adapter !== 'caddyfile') return undefined;
  return names.find((name) => existsSync(name));
}

/** Returns the same file as {@link configFileOf}, but throws if there is none. */
export function requireConfigFile(command: string, named: string | undefined, adapter?: string): string {
  const file = configFileOf(named, adapter);
  if (file !== undefined) return file;
  throw new CommandError(`${command} requires a configuration: --config FILE, or a Caddyfile in the working directory`);
}
