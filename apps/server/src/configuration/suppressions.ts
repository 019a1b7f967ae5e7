/**
 * Lint suppressions with reasons. They are comments such as `# lint ignore SL008: the page has no children`, on the same line or the line
 * before. For formats that don't support comments, the file `sluice-lint.json` next to the configuration contains the suppressions.
 *
 * A suppression that has no reason has no effect. Unused suppressions are reported, so that users remove them.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isArray, isObject, messageOf, own, type Json } from '@sluice/base';
import { isAbout, suppressionsIn, type Finding } from '@sluice/registry';
import { CommandError } from '../failure.ts';

export interface SuppressedFinding extends Finding {
  readonly reason: string;
}

/** Lint findings, separated into active findings and suppressed findings. */
export interface SortedFindings {
  readonly findings: readonly Finding[];
  readonly suppressed: readonly SuppressedFinding[];
}

interface KnownSuppression {
  readonly code: string;
  readonly reason: string;
  concerns(finding: Finding): boolean;
  /** Creates a finding about the suppression itself, for example because it is unused. */
  finding(message: string): Finding;
  used: boolean;
}

const file = 'sluice-lint.json';

/** Removes the findings that `sluice-lint.json` next to the configuration suppresses. Comments were already applied during the dry run. */
export function notSuppressedBeside(findings: readonly Finding[], read: string): readonly Finding[] {
  const all = read === '-' ? [] : inFile(join(dirname(read), file)).filter(({ reason }) => reason !== '');
  return findings.filter((finding) => !all.some((each) => each.code === finding.code && each.concerns(finding)));
}

/** Applies the suppressions in the files that have findings, and those in `sluice-lint.json` next to the configuration file. */
export function suppress(findings: readonly Finding[], read: string): SortedFindings {
  const named = findings.flatMap(({ place }) => (place === undefined ? [] : [place.file]));
  const files = new Set(read === '-' ? named : [read, ...named]);
  const all = [...[...files].flatMap(inComments), ...(read === '-' ? [] : inFile(join(dirname(read), file)))];
  const kept: Finding[] = [];
  const suppressed: SuppressedFinding[] = [];
  for (const finding of findings) {
    const found = all.find((each) => each.code === finding.code && each.concerns(finding));
    if (found !== undefined) found.used = true;
    if (found === undefined || found.reason === '') kept.push(finding);
    else suppressed.push({ ...finding, reason: found.reason });
  }
  for (const each of all) {
    if (each.reason === '')
      kept.push(each.finding(`has no reason and is ignored; state why ${each.code} does not apply here`));
    else if (!each.used) kept.push(each.finding(`is unused: ${each.code} reports nothing here; remove it`));
  }
  return { findings: kept, suppressed };
}

function inComments(name: string): KnownSuppression[] {
  return suppressionsIn(readOrEmpty(name), name).map((found) => ({
    code: found.code,
    reason: found.reason,
    used: false,
    concerns: (finding: Finding) => isAbout(found, finding),
    finding: (message: string) =>
      finding(message, { place: { file: name, line: found.line, column: 1 }, source: `${name}:${found.line}` }),
  }));
}

function finding(message: string, more: Partial<Finding>): Finding {
  return {
    code: 'SL000',
    check: 'suppression',
    severity: 'warning',
    path: '',
    message,
    page: 'guide/lint.md',
    ...more,
  };
}

function inFile(name: string): KnownSuppression[] {
  const text = readOrEmpty(name);
  if (text === '') return [];
  const entries = parse(name, text);
  if (!isArray(entries)) throw new CommandError(`${name} is not a list of {"code", "path", "reason"}`);
  return entries.map((entry, index) => {
    const [code, path, reason] = ['code', 'path', 'reason'].map((key) => textAt(entry, key)) as [
      string,
      string,
      string,
    ];
    return {
      code,
      reason,
      used: false,
      concerns: (finding: Finding) => isWithin(finding.path, path),
      finding: (message: string) =>
        finding(message, { place: { file: name, line: 1, column: 1 }, source: `${name}[${index}]` }),
    };
  });
}

function isWithin(path: string, prefix: string): boolean {
  return prefix === '' || path === prefix || (path.startsWith(prefix) && /^[.[]/.test(path.slice(prefix.length)));
}

function textAt(entry: Json, key: string): string {
  const value = isObject(entry) ? own(entry, key) : undefined;
  return typeof value === 'string' ? value : '';
}

function parse(name: string, text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new CommandError(`${name} is not JSON: ${messageOf(error)}`, error);
  }
}

function readOrEmpty(name: string): string {
  try {
    return readFileSync(name, 'utf8');
  } catch {
    return '';
  }
}
