/** Formats findings as text with locations that editors and terminals recognize as links: `Caddyfile:12:3: warning SL001: …`. */
import type { Finding } from '@sluice/registry';
import type { SortedFindings } from '../../configuration/suppressions.ts';

/** Returns the text report. It ends with a summary. */
export function textReport({ findings, suppressed }: SortedFindings, file: string): string {
  const lines = findings.flatMap((finding) => [lineOf(finding, file), ...relatedLines(finding, file)]);
  return [...lines, summary(findings, suppressed.length), ''].join('\n');
}

function lineOf({ place, severity, code, check, message, path, fix }: Finding, file: string): string {
  const where = place === undefined ? file : placeText(place);
  const mend = fix === undefined ? '' : ` [--fix: ${fix.title}]`;
  return `${where}: ${severity} ${code ?? check}: ${message}${path === '' ? '' : ` (${path})`}${mend}`;
}

function relatedLines({ related = [] }: Finding, file: string): readonly string[] {
  return related.map(({ place, message, path }) => {
    return `    ${place === undefined ? file : placeText(place)}: ${message} (${path})`;
  });
}

function placeText({
  file,
  line,
  column,
}: {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}): string {
  return `${file}:${line}${column > 0 ? `:${column}` : ''}`;
}

function summary(findings: readonly Finding[], suppressed: number): string {
  const count = (severity: string): number => findings.filter((each) => each.severity === severity).length;
  const parts = ['error', 'warning', 'note'].flatMap((severity) => {
    const number = count(severity);
    return number === 0 ? [] : [`${number} ${severity}${number === 1 ? '' : 's'}`];
  });
  const kept = suppressed === 0 ? '' : `, ${suppressed} suppressed`;
  return `${parts.length === 0 ? 'no findings' : parts.join(', ')}${kept}`;
}
