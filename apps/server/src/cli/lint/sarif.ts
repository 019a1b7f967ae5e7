/** Formats findings as SARIF 2.1.0. Code hosts and editors display these findings next to the source lines. */
import type { Finding, LintCheck } from '@sluice/registry';
import { version } from '../../version.ts';
import type { SortedFindings, SuppressedFinding } from '../../configuration/suppressions.ts';

/** Returns the SARIF log of a single run. */
export function sarif({ findings, suppressed }: SortedFindings, checks: readonly LintCheck[]): object {
  const rules = checks.map(({ code, name, summary, details, severity, page }) => ({
    id: code,
    name,
    shortDescription: { text: summary },
    fullDescription: { text: details },
    ...(page === undefined ? {} : { helpUri: page }),
    defaultConfiguration: { level: severity },
  }));
  const results = [...findings.map((each) => result(each)), ...suppressed.map(suppressedResult)];
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'sluice', version, rules } }, columnKind: 'utf16CodeUnits', results }],
  };
}

function result(finding: Finding): object {
  const { code, check, severity, message, related = [] } = finding;
  return {
    ruleId: code ?? check,
    level: severity,
    message: { text: message },
    locations: [location(finding)],
    ...(related.length === 0
      ? {}
      : { relatedLocations: related.map((each) => ({ ...location(each), message: { text: each.message } })) }),
  };
}

function suppressedResult(finding: SuppressedFinding): object {
  return { ...result(finding), suppressions: [{ kind: 'inSource', justification: finding.reason }] };
}

function location({ place, path }: Pick<Finding, 'place' | 'path'>): object {
  const logicalLocations = path === '' ? {} : { logicalLocations: [{ fullyQualifiedName: path }] };
  if (place === undefined) return logicalLocations;
  const { file, line, column } = place;
  const physicalLocation = {
    artifactLocation: { uri: file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/') },
    region: { startLine: line, startColumn: Math.max(column, 1) },
  };
  return { physicalLocation, ...logicalLocations };
}
