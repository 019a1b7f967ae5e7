/** `sluice run`: a server in the foreground. Loads the server itself only once its workers load their code as well. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configFileOf } from '../default-config.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { WorkerReserve } from '../../workers/worker-reserve.ts';
import type { RunOptions } from '../../run-options.ts';

/** The folder of files that ship with the server; configurations reach it as `{env.SLUICE_SHARE}`. */
const share = fileURLToPath(new URL('../../../config', import.meta.url));

/** Runs a server; resolves with the exit code when it has ended. */
export async function run(options: RunOptions): Promise<number> {
  process.env.SLUICE_SHARE ??= share;
  loadEnvFiles(options.envfile ?? []);
  if (options.environ === true) (await import('./environ.ts')).printEnvironment();
  const workers = options.workers ?? availableParallelism();
  // Only Linux is known to share a port between several of them.
  const reserve = new WorkerReserve(process.platform === 'linux' ? workers : Math.min(workers, 1));
  try {
    const { serve } = await import('../../serve.ts');
    const config = configFileOf(options.config, options.adapter);
    return await serve({ ...options, ...(config === undefined ? {} : { config }), workers }, reserve);
  } finally {
    await reserve.discard();
  }
}
