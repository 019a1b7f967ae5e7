/** `sluice validate`: validates a configuration and provisions it without serving requests. */
import { duplicateKeys, formatWhere } from '@sluice/base';
import { standardError, TerminalSink } from '../../logging/terminal-sink.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { requireConfigFile } from '../../configuration/default-config.ts';
import { notSuppressedBeside } from '../../configuration/suppressions.ts';
import { formatWarning, readConfig, type ReadConfig } from '../../configuration/read-config.ts';
import { tryConfig } from '../../configuration/try-config.ts';
import { standardRegistry } from '../../configuration/standard-registry.ts';

export interface ValidateOptions {
  readonly config?: string;
  readonly adapter?: string;
  readonly envfile?: readonly string[];
  readonly module?: readonly string[];
}

/** Prints `Valid configuration` if the configuration is valid. Warnings about settings that cannot take effect are printed to standard error. */
export async function validate({ config, adapter, envfile, module }: ValidateOptions): Promise<number> {
  const file = requireConfigFile('validate', config, adapter);
  loadEnvFiles(envfile ?? []);
  const { document, sources, json, warnings } = await readConfig({ file, adapter }, () => standardRegistry(module));
  for (const warning of warnings) if (!isAboutFormat(warning)) warn(formatWarning(warning));
  for (const { path, line } of json === null ? [] : duplicateKeys(json))
    warn(
      `${formatWhere(path)}: duplicate key, repeated on line ${line}: only the last value applies; remove one of the keys`,
    );
  await check({ document, sources, json, file }, module);
  process.stdout.write('Valid configuration\n');
  return 0;
}

/** Validates a configuration and prints the findings of checks. */
export async function check(
  configuration: Pick<ReadConfig, 'document' | 'sources'> &
    Partial<Pick<ReadConfig, 'json'>> & { readonly file?: string },
  modules?: readonly string[],
): Promise<void> {
  const sink = new TerminalSink(standardError('warn'));
  // If an adapter provides no source locations, a finding may be the adapter's fault, not the user's.
  const isTheirs = configuration.sources !== null || configuration.json !== null;
  const findings = await tryConfig(configuration, await standardRegistry(modules), sink);
  for (const found of notSuppressedBeside(findings, configuration.file ?? '-')) {
    const { path, source, message, code, check: name, severity } = found;
    if (severity === 'note' || (code !== undefined && !isTheirs)) continue;
    const named = code === undefined ? name : `${code}, ${name}`;
    warn(`${path}${source === undefined ? '' : ` (${source})`}: ${message} (${named})`);
  }
}

/** Reports whether a finding concerns formatting, which only `fmt` and `adapt` report. */
function isAboutFormat({ message }: ReadConfig['warnings'][number]): boolean {
  return message.includes('is not formatted');
}

function warn(message: string): void {
  process.stderr.write(`warning: ${message}\n`);
}
