/** `sluice convert`: converts a configuration to a Caddyfile. */
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isObject, messageOf } from '@sluice/base';
import type { ConvertedConfig } from '@sluice/contracts';
import { convertConfig } from '@sluice/reconciler';
import { formatWarning, readConfig } from '../../configuration/read-config.ts';
import { standardRegistry } from '../../configuration/standard-registry.ts';
import { CommandError, failure } from '../../failure.ts';
import { loadEnvFiles } from '../../process/env-file.ts';

export interface ConvertOptions {
  readonly config?: string;
  readonly adapter?: string;
  readonly envfile?: readonly string[];
  readonly module?: readonly string[];
  /** Output file. Defaults to standard output. */
  readonly output?: string;
}

/** Prints the result, and reports whether the conversion is lossless. A lossy result is also written, but the command fails. */
export async function convert({ config, adapter, envfile, module, output }: ConvertOptions): Promise<number> {
  if (config === undefined && process.stdin.isTTY) {
    throw new CommandError('convert requires --config <file>, or a configuration on standard input');
  }
  loadEnvFiles(envfile ?? []);
  const registry = await standardRegistry(module);
  const file = config ?? '-';
  const { document, warnings } = await readConfig({ file, adapter }, () => Promise.resolve(registry));
  for (const warning of warnings) process.stderr.write(`warning: ${formatWarning(warning)}\n`);
  if (!isObject(document)) throw new CommandError('nothing to convert: the configuration is not an object');
  const converted = await convertConfig(registry, 'caddyfile', document);
  if (converted === null) throw new CommandError('the caddyfile adapter does not support conversion to a Caddyfile');
  if (output === undefined || output === '-') process.stdout.write(converted.text);
  else write(output, converted.text);
  report(converted, output);
  return converted.verdict === 'different' ? failure : 0;
}

const meanings = {
  identical: ['identical: the file adapts to the same configuration', ''],
  same: [
    'equivalent: the file adapts to a configuration with the same effect, written differently in these places:',
    'note',
  ],
  different: ['lossy: the Caddyfile does not represent the whole configuration', 'warning'],
} as const;

function report({ verdict, differences, file }: ConvertedConfig, output: string | undefined): void {
  const [meaning, mark] = meanings[verdict];
  process.stderr.write(`${meaning}\n`);
  for (const { path } of differences) {
    const place = path === '' ? 'the document' : path;
    process.stderr.write(`${mark}: ${verdict === 'same' ? place : `${place} is not representable in a Caddyfile`}\n`);
  }
  const name = output === undefined || output === '-' ? 'Caddyfile' : basename(output);
  if (basename(file) === name) return;
  process.stderr.write(
    `note: save the Caddyfile as ${basename(file)}: the configured file servers hide files with that name\n`,
  );
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandError(`writing ${file}: ${messageOf(error)}`, error);
  }
}
