/** Lints a configuration file: reads it in the same way as other commands, runs the checks, and adds source locations. */
import { duplicateKeys, formatWhere, silentLogger, type Json } from '@sluice/base';
import { DocumentSources } from '@sluice/reconciler';
import { lint, type Finding, type Registry } from '@sluice/registry';
import { readConfig, type ConfigSource, type ReadConfig } from '../../configuration/read-config.ts';
import { JsonSources } from './json-sources.ts';

export interface LintedFile {
  readonly read: ReadConfig;
  readonly findings: readonly Finding[];
}

/** Runs the lint checks on a file. Doesn't provision the configuration or use the network. */
export async function lintFile(source: ConfigSource, registry: Registry): Promise<LintedFile> {
  const read = await readConfig(source, () => Promise.resolve(registry));
  const findings = await findingsIn(read.document, read, { file: source.file, registry });
  return { read, findings: [...repeatedKeys(read, source.file), ...findings] };
}

/** Returns findings about duplicate keys, which parsing removes from the document. */
function repeatedKeys({ json }: ReadConfig, file: string): readonly Finding[] {
  return duplicateKeys(json ?? '').map(({ path, line }) => ({
    check: 'duplicate-definition',
    code: 'SL040',
    severity: 'error',
    path: formatWhere(path),
    message: 'duplicate key in an object: only the last value applies; remove the others',
    page: 'reference/lint/SL040.md',
    source: `${file}:${line}`,
    place: { file, line, column: 1 },
  }));
}

/** Returns the findings in a document. For JSON and JSON5, the source locations come from the text. */
export async function findingsIn(
  document: Json,
  { sources, text }: Pick<ReadConfig, 'sources' | 'text'>,
  { file, registry }: { readonly file: string; readonly registry: Registry },
): Promise<readonly Finding[]> {
  const findings = await lint(registry, document, silentLogger);
  const known =
    sources ?? (/^\s*(?:[{[]|\/[/*])/.test(text) ? new DocumentSources(document, new JsonSources(file, text)) : null);
  return known?.inFindings(findings, document) ?? findings;
}
