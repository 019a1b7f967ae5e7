/** `sluice lint`: finds settings in a configuration that are valid but probably unintended. */
import { messageOf } from '@sluice/base';
import { loadLintChecks, type Registry } from '@sluice/registry';
import { standardRegistry } from '../../configuration/standard-registry.ts';
import { CommandError } from '../../failure.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { requireConfigFile } from '../../configuration/default-config.ts';
import { firstFix, fixed, writeJson } from '../lint/fix.ts';
import { findingsIn, lintFile, type LintedFile } from '../lint/lint-file.ts';
import { sarif } from '../lint/sarif.ts';
import { suppress, type SortedFindings } from '../../configuration/suppressions.ts';
import { textReport } from '../lint/text-report.ts';

export interface LintOptions {
  readonly config?: string;
  readonly adapter?: string;
  readonly envfile?: readonly string[];
  readonly module?: readonly string[];
  readonly format?: string;
  readonly fix?: boolean;
  readonly arguments?: readonly string[];
}

/** Exit code if the configuration file cannot be read. */
const unreadable = 2;

/** Prints the findings. Returns exit code 0 if there are only notes, 1 if there are other findings, and 2 if the file cannot be read. */
export async function lint(options: LintOptions): Promise<number> {
  const { config, adapter, envfile, module, format = 'text', fix, arguments: [argument, ...more] = [] } = options;
  if (more.length > 0)
    throw new CommandError(`lint accepts a single file; unexpected ${more.join(', ')}`, undefined, unreadable);
  const registry = await standardRegistry(module);
  try {
    loadEnvFiles(envfile ?? []);
    const file = requireConfigFile('lint', argument ?? config, adapter);
    const linted = await lintFile({ file, adapter }, registry);
    const mended = fix === true ? await mend(linted, file, registry) : linted;
    const sorted = suppress(mended.findings, file);
    process.stdout.write(await printed(sorted, { format, file, registry }));
    return sorted.findings.some(({ severity }) => severity !== 'note') ? 1 : 0;
  } catch (error) {
    throw error instanceof CommandError && error.exitCode === unreadable
      ? error
      : new CommandError(messageOf(error), error, unreadable);
  }
}

async function printed(
  sorted: SortedFindings,
  { format, file, registry }: { readonly format: string; readonly file: string; readonly registry: Registry },
): Promise<string> {
  if (format === 'text') return textReport(sorted, file);
  const value = format === 'json' ? { file, ...sorted } : sarif(sorted, await loadLintChecks(registry));
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Applies the fixes one at a time, because each fix can move later positions. Then writes the file. */
async function mend({ read, findings }: LintedFile, file: string, registry: Registry): Promise<LintedFile> {
  if (read.json === null || file === '-')
    throw new CommandError(
      '--fix supports only native JSON files; edit files in other formats manually',
      undefined,
      unreadable,
    );
  let { document } = read;
  let left = findings;
  for (
    let next = firstFix(suppress(left, file).findings);
    next !== null;
    next = firstFix(suppress(left, file).findings)
  ) {
    document = fixed(document, next);
    left = await findingsIn(document, { sources: null, text: JSON.stringify(document) }, { file, registry });
  }
  if (document !== read.document) writeJson(file, read.text, document);
  return lintFile({ file }, registry);
}
