/** `sluice adapt`: prints a configuration as native JSON, or explains the order that its directives run in. */
import { requireConfigFile } from '../default-config.ts';
import { formatWarning, readConfig, type ReadConfig } from '../../configuration/read-config.ts';
import { CommandError } from '../../failure.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { standardRegistry } from '../../configuration/standard-registry.ts';
import { check } from './validate.ts';

/** Options of `adapt`. */
export interface AdaptOptions {
  readonly config?: string;
  readonly adapter?: string;
  readonly envfile?: readonly string[];
  readonly module?: readonly string[];
  readonly pretty?: boolean;
  readonly explain?: boolean;
  readonly validate?: boolean;
}

/** Prints to standard output; warnings go to standard error. */
export async function adapt(options: AdaptOptions): Promise<number> {
  const { config, adapter, envfile, module, pretty, explain, validate } = options;
  const file = requireConfigFile('adapt', config, adapter);
  loadEnvFiles(envfile ?? []);
  const read = await readConfig({ file, adapter }, () => standardRegistry(module));
  const { document, warnings } = read;
  for (const warning of warnings) process.stderr.write(`warning: ${formatWarning(warning)}\n`);
  if (explain === true) process.stdout.write(explanation(read, file));
  else process.stdout.write(`${JSON.stringify(document, null, pretty === true ? '\t' : undefined)}\n`);
  if (validate === true) await check({ ...read, file }, module);
  return 0;
}

function explanation({ explain }: ReadConfig, file: string): string {
  if (explain !== undefined) return explain();
  throw new CommandError(`${file} has no directives to explain: --explain is for Caddyfiles`);
}
