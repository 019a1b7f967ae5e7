/** `sluice adapt`: prints a configuration as native JSON, or explains the directive order. */
import { requireConfigFile } from '../../configuration/default-config.ts';
import { formatWarning, readConfig, type ReadConfig } from '../../configuration/read-config.ts';
import { CommandError } from '../../failure.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { standardRegistry } from '../../configuration/standard-registry.ts';
import { notSuppressedBeside } from '../../configuration/suppressions.ts';
import { findingsIn } from '../lint/lint-file.ts';
import { check } from './validate.ts';

export interface AdaptOptions {
  readonly config?: string;
  readonly adapter?: string;
  readonly envfile?: readonly string[];
  readonly module?: readonly string[];
  readonly pretty?: boolean;
  readonly explain?: boolean;
  readonly validate?: boolean;
}

/** Prints the result to standard output, and warnings to standard error. */
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
  else await reportFindings(read, file, module);
  return 0;
}

/** Prints findings of static checks. Does not provision the configuration, because it may be for another machine. */
async function reportFindings(read: ReadConfig, file: string, module: AdaptOptions['module']): Promise<void> {
  if (read.sources === null) return;
  const findings = await findingsIn(read.document, read, { file, registry: await standardRegistry(module) });
  for (const { severity, path, source, message, code, check: name } of notSuppressedBeside(findings, file)) {
    if (severity === 'note') continue;
    const named = code === undefined ? name : `${code}, ${name}`;
    process.stderr.write(`warning: ${path}${source === undefined ? '' : ` (${source})`}: ${message} (${named})\n`);
  }
}

function explanation({ explain }: ReadConfig, file: string): string {
  if (explain !== undefined) return explain();
  throw new CommandError(`${file} has no directives to explain: --explain supports only Caddyfiles`);
}
