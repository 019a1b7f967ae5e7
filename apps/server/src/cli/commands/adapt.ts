/** `sluice adapt`: prints a configuration as native JSON. */
import { requireConfigFile } from '../default-config.ts';
import { formatWarning, readConfig } from '../../configuration/read-config.ts';
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
  readonly validate?: boolean;
}

/** Prints to standard output; warnings go to standard error. */
export async function adapt({ config, adapter, envfile, module, pretty, validate }: AdaptOptions): Promise<number> {
  const file = requireConfigFile('adapt', config, adapter);
  loadEnvFiles(envfile ?? []);
  const { document, warnings, sources } = await readConfig({ file, adapter }, () => standardRegistry(module));
  for (const warning of warnings) process.stderr.write(`warning: ${formatWarning(warning)}\n`);
  process.stdout.write(`${JSON.stringify(document, null, pretty === true ? '\t' : undefined)}\n`);
  if (validate === true) await check({ document, sources }, module);
  return 0;
}
