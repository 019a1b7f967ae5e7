/** `sluice lsp`: the language server. An editor starts it and speaks to it over standard input and output. */
import { Writable } from 'node:stream';
import type { Json, LogSink } from '@sluice/base';
import { serveEditor, type LanguageServices } from '@sluice/language-server';
import type { Finding } from '@sluice/registry';
import { loadEnvFiles } from '../../process/env-file.ts';
import { version } from '../../version.ts';

/** Options of `lsp`. */
export interface LspOptions {
  readonly envfile?: readonly string[];
  readonly module?: readonly string[];
}

/** What modules log while they are tried is not for the editor: it gets their errors. */
const silent: LogSink = { enabled: () => false, write: () => undefined };

/** Serves until the editor leaves. */
export async function lsp({ envfile, module }: LspOptions): Promise<number> {
  loadEnvFiles(envfile ?? []);
  const output = reserveOutput();
  await serveEditor({ version, load: () => loadServices(module) }, { input: process.stdin, output });
  // The protocol's library watches the process of the editor by a timer that nothing ends.
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

/** Standard output is for the protocol alone: what modules print goes to standard error. */
function reserveOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return new Writable({ write: (chunk: Uint8Array, encoding, done) => void write(chunk, encoding, done) });
}
