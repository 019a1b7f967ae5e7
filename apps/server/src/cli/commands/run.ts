/** `sluice run`: a server in the foreground. */
import { defaultAdminAddress } from '../../admin-address.ts';
import { configFileOf } from '../default-config.ts';
import { shareFolder } from '../../installation.ts';
import { pingback } from '../../process/pingback.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { serveWithWorkers } from '../serve-with-workers.ts';
import type { RunOptions } from '../../run-options.ts';

/** Runs a server; resolves with the exit code when it has ended. */
export async function run(options: RunOptions): Promise<number> {
  // Configurations reach the files that ship with the server so.
  process.env.SLUICE_SHARE ??= shareFolder();
  loadEnvFiles(options.envfile ?? []);
  // So does the welcome page the admin endpoint.
  process.env.SLUICE_ADMIN ??= defaultAdminAddress();
  if (options.environ === true) (await import('./environ.ts')).printEnvironment();
  const config = configFileOf(options.config, options.adapter);
  const onServing = pingback(options);
  return await serveWithWorkers({
    ...options,
    ...(config === undefined ? {} : { config }),
    ...(onServing === undefined ? {} : { onServing }),
  });
}
