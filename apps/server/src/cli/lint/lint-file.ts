/** Lints one file: reads it as all commands do, runs the checks, and says where what they find was written. */
import { duplicateKeys, formatWhere, silentLogger, type Json } from '@sluice/base';
import { DocumentSources } from '@sluice/reconciler';
import { lint, type Finding, type Registry } from '@sluice/registry';
import { readConfig, type ConfigSource, type ReadConfig } from '../../configuration/read-config.ts';
import { JsonSources } from './json-sources.ts';

/** What was read, and what was found in it. */
export interface LintedFile {
  readonly read: ReadConfig;
  readonly findings: readonly Finding[];
}

/** Runs the checks over a file. Nothing is provisioned, and nothing beyond this machine is asked. */
export async function lintFile(source: ConfigSource, registry: Registry): Promise<LintedFile> {
  const read = await readConfig(source, () => Promise.resolve(registry));
  const findings = await findingsIn(read.document, read, { file: source.file, registry });
  return { read, findings: [...repeatedKeys(read, source.file), ...findings] };
}

/** Keys that stand twice, of which nothing is left in the document. */
function repeatedKeys({ json }: ReadConfig, file: string): readonly Finding[] {
  return duplicateKeys(json ?? '').map(({ path, line }) => ({
    check: 'duplicate-definition',
    code: 'SL040',
    severity: 'error',
    path: formatWhere(path),
    message: 'duplicate key in its object: the last one wins; remove one of them',
    page: 'reference/lint/SL040.md',
    source: `${file}:${line}`,
    place: { file, line, column: 1 },
  }));
}

/** What the checks find in a document. Where a file is JSON or JSON5 its own text tells the places. */
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
