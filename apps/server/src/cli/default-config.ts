/** The configuration file of a folder, for commands that name none. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../failure.ts';

/** Names in the order they are looked for. */
const names = ['Caddyfile', 'sluice.json'];

/** The one of a folder; `null` if there is none. */
export function configFileIn(folder: string): string | null {
  return names.map((name) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

/** The file that is named, or that of the working folder; `undefined` if there is none. A named adapter needs a named file. */
export function configFileOf(named: string | undefined, adapter?: string): string | undefined {
  if (named !== undefined) return named;
  if (adapter !== undefined && adapter !== 'caddyfile') return undefined;
  return names.find((name) => existsSync(name));
}

/** The same for a command that needs one. */
export function requireConfigFile(command: string, named: string | undefined, adapter?: string): string {
  const file = configFileOf(named, adapter);
  if (file !== undefined) return file;
  throw new CommandError(`${command} requires a configuration: --config FILE, or a Caddyfile in the working directory`);
}
