/** `sluice run`: a server in the foreground. */
import { join } from 'node:path';
import { configFileOf } from '../default-config.ts';
import { packageFolder } from '../../installation.ts';
import { pingback } from '../../process/pingback.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { serveWithWorkers } from '../serve-with-workers.ts';
import type { RunOptions } from '../../run-options.ts';

/** The folder of files that ship with the server; configurations reach it as `{env.SLUICE_SHARE}`. */
const share = join(packageFolder, 'config');

/** Runs a server; resolves with the exit code when it has ended. */
export async function run(options: RunOptions): Promise<number> {
  process.env.SLUICE_SHARE ??= share;
  loadEnvFiles(options.envfile ?? []);
  if (options.environ === true) (await import('./environ.ts')).printEnvironment();
  const config = configFileOf(options.config, options.adapter);
  const onServing = pingback(options);
  return await serveWithWorkers({
    ...options,
    ...(config === undefined ? {} : { config }),
    ...(onServing === undefined ? {} : { onServing }),
  });
}
