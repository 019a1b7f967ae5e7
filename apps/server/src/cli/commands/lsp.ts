/** `sluice lsp`: the language server. An editor starts it and speaks to it over standard input and output. */
import { Writable } from 'node:stream';
import type { Json, LogSink } from '@sluice/base';
import { serveEditor } from '@sluice/language-server';
import { standardRegistry } from '../../configuration/standard-registry.ts';
import { tryConfig } from '../../configuration/try-config.ts';
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
  const registry = await standardRegistry(module);
  const services = {
    registry,
    environment: process.env,
    version,
    rehearse: (document: Json) => tryConfig({ document, sources: null }, registry, silent),
  };
  await serveEditor(services, { input: process.stdin, output });
  // The protocol's library watches the process of the editor by a timer that nothing ends.
  return process.exit(0);
}

/** Standard output is for the protocol alone: what modules print goes to standard error. */
function reserveOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return new Writable({ write: (chunk: Uint8Array, encoding, done) => void write(chunk, encoding, done) });
}
