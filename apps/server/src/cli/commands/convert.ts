/** `sluice convert`: prints a configuration as a Caddyfile. */
import { writeFileSync } from 'node:fs';
import { isObject, messageOf } from '@sluice/base';
import { formatWarning, readConfig } from '../../configuration/read-config.ts';
import { standardRegistry } from '../../configuration/standard-registry.ts';
import { CommandError, failure } from '../../failure.ts';
import { loadEnvFiles } from '../../process/env-file.ts';

/** Options of `convert`. */
export interface ConvertOptions {
  readonly config?: string;
  readonly adapter?: string;
  readonly envfile?: readonly string[];
  readonly module?: readonly string[];
  /** The file that is written; standard output without it. */
  readonly output?: string;
}

/** Warns of what the Caddyfile does not say, and ends with a failure then; the file is written all the same. */
export async function convert({ config, adapter, envfile, module, output }: ConvertOptions): Promise<number> {
  if (config === undefined && process.stdin.isTTY) {
    throw new CommandError('convert needs --config <file>, or a configuration on standard input');
  }
  loadEnvFiles(envfile ?? []);
  const registry = await standardRegistry(module);
  const file = config ?? '-';
  const { document, warnings } = await readConfig({ file, adapter }, () => Promise.resolve(registry));
  for (const warning of warnings) process.stderr.write(`warning: ${formatWarning(warning)}\n`);
  if (!isObject(document)) throw new CommandError('there is nothing to convert: the configuration is not an object');
  const { convertDocument } = await import('@sluice/caddyfile');
  const { text, differences } = await convertDocument(document, registry);
  if (output === undefined || output === '-') process.stdout.write(text);
  else write(output, text);
  for (const { path } of differences) {
    process.stderr.write(`warning: ${path === '' ? 'the document' : path} is not said by the Caddyfile\n`);
  }
  return differences.length === 0 ? 0 : failure;
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandError(`writing ${file}: ${messageOf(error)}`, error);
  }
}
