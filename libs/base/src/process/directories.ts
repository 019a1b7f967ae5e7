/**
 * Configuration and data directories, as specified by the XDG Base Directory Specification 0.8. Uses the equivalent directories on macOS
 * and Windows.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = 'sluice';

export interface Environment {
  readonly [name: string]: string | undefined;
}

/** Returns the directory for the saved configuration and third-party modules: `$XDG_CONFIG_HOME/sluice`, or `~/.config/sluice`. */
export function configDirectory(environment: Environment = process.env, platform: string = process.platform): string {
  return directory(environment.XDG_CONFIG_HOME, ['.config'], environment, platform);
}

/** Returns the directory for certificates and other data: `$XDG_DATA_HOME/sluice`, or `~/.local/share/sluice`. */
export function dataDirectory(environment: Environment = process.env, platform: string = process.platform): string {
  return directory(environment.XDG_DATA_HOME, ['.local', 'share'], environment, platform);
}

function directory(
  chosen: string | undefined,
  defaultPath: readonly string[],
  environment: Environment,
  platform: string,
): string {
  if (chosen !== undefined && chosen !== '') return join(chosen, folder);
  if (platform === 'win32') return join(environment.AppData ?? environment.APPDATA ?? homedir(), folder);
  if (platform === 'darwin') return join(homeOf(environment), 'Library', 'Application Support', folder);
  return join(homeOf(environment), ...defaultPath, folder);
}

/** Returns the home directory. Reads `$HOME` on each call, because an environment file may have changed it. */
function homeOf(environment: Environment): string {
  return environment.HOME === undefined || environment.HOME === '' ? homedir() : environment.HOME;
}
