/** `sluice run`: a server in the foreground. */
import { fileURLToPath } from 'node:url';
import { configFileOf } from '../default-config.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { serveWithWorkers } from '../serve-with-workers.ts';
import type { RunOptions } from '../../run-options.ts';

/** The folder of files that ship with the server; configurations reach it as `{env.SLUICE_SHARE}`. */
const share = fileURLToPath(new URL('../../../config', import.meta.url));

/** Runs a server; resolves with the exit code when it has ended. */
export async function run(options: RunOptions): Promise<number> {
  process.env.SLUICE_SHARE ??= share;
  loadEnvFiles(options.envfile ?? []);
  if (options.environ === true) (await import('./environ.ts')).printEnvironment();
  const config = configFileOf(options.config, options.adapter);
  return await serveWithWorkers({ ...options, ...(config === undefined ? {} : { config }) });
}
