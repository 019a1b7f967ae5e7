/** `sluice run`: runs the server in the foreground. */
import { defaultAdminAddress } from '../../admin-address.ts';
import { configFileOf } from '../../configuration/default-config.ts';
import { messageOf } from '@sluice/base';
import { shareFolder } from '../../installation.ts';
import { pingback } from '../../process/pingback.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { serveWithWorkers } from '../serve-with-workers.ts';
import type { RunOptions } from '../../run-options.ts';

/** Runs a server. Resolves to the exit code. */
export async function run(options: RunOptions): Promise<number> {
  // Set `{env.SLUICE_SHARE}`, which configurations use to refer to bundled files. The welcome page refers to the admin endpoint.
  process.env.SLUICE_SHARE ??= await sharedFiles();
  loadEnvFiles(options.envfile ?? []);
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

/**
 * Returns the directory of bundled files. Few configurations need these files. The server therefore starts even if they can't be written,
 * for example on a read-only system.
 */
async function sharedFiles(): Promise<string> {
  try {
    return shareFolder();
  } catch (error) {
    const { standardError, TerminalSink } = await import('../../logging/terminal-sink.ts');
    new TerminalSink(standardError()).write({
      time: Date.now(),
      level: 'warn',
      logger: '',
      message: 'failed to write the welcome page; set XDG_DATA_HOME to a writable directory',
      fields: { error: messageOf(error) },
    });
    return '';
  }
}
