/** `sluice environ`. */
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { configDirectory, dataDirectory } from '@sluice/base';
import { snapshotName } from '../../persistence/resume.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { version } from '../../version.ts';

/** Prints the server's directories, its version, and the environment variables. */
export function environ(options: { readonly envfile?: readonly string[] }): number {
  loadEnvFiles(options.envfile ?? []);
  printEnvironment();
  return 0;
}

/** Prints the environment as `NAME=value` lines to standard output. */
export function printEnvironment(): void {
  const facts = {
    'sluice.HomeDir': homedir(),
    'sluice.AppDataDir': dataDirectory(),
    'sluice.AppConfigDir': configDirectory(),
    'sluice.ConfigAutosavePath': join(configDirectory(), snapshotName),
    'sluice.Version': `v${version}`,
    'process.version': process.version,
    'process.platform': process.platform,
    'process.arch': process.arch,
    'process.cwd': process.cwd(),
    'os.availableParallelism': availableParallelism(),
  };
  const lines = [...Object.entries(facts), ['', ''] as const, ...Object.entries(process.env)];
  process.stdout.write(lines.map(([name, value]) => (name === '' ? '\n' : `${name}=${value ?? ''}\n`)).join(''));
}
