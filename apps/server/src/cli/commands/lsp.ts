/** `sluice lsp`: language server. Editors start the command and communicate over standard input and output. */
import type { Json, LogSink } from '@sluice/base';
import { serveEditor, type LanguageServices } from '@sluice/language-server';
import type { Finding } from '@sluice/registry';
import { loadEnvFiles } from '../../process/env-file.ts';
import { version } from '../../version.ts';
import { reserveOutput } from '../reserve-output.ts';

export interface LspOptions {
  readonly envfile?: readonly string[];
  readonly module?: readonly string[];
}

/** Discards log entries from validated modules, because the editor receives their errors. */
const silent: LogSink = { enabled: () => false, write: () => undefined };

/** Runs the language server until the editor disconnects. */
export async function lsp({ envfile, module }: LspOptions): Promise<number> {
  loadEnvFiles(envfile ?? []);
  const output = reserveOutput();
  await serveEditor({ version, load: () => loadServices(module) }, { input: process.stdin, output });
  // Exit explicitly, because the protocol library monitors the editor's process with a timer that can't be stopped.
  return process.exit(0);
}

async function loadServices(module: readonly string[] | undefined): Promise<LanguageServices> {
  const [{ standardRegistry }, { tryConfig }] = await Promise.all([
    import('../../configuration/standard-registry.ts'),
    import('../../configuration/try-config.ts'),
  ]);
  const registry = await standardRegistry(module);
  const rehearse = (document: Json): Promise<readonly Finding[]> =>
    tryConfig({ document, sources: null }, registry, silent);
  return { registry, environment: process.env, rehearse };
}
