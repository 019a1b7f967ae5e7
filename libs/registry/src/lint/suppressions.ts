/**
 * Suppresses lint findings with comments in configuration files: `# lint ignore SL008: the page has no children`. The comment is on the
 * same line or on the line before.
 *
 * A suppression without a reason has no effect.
 */
import type { Finding } from '../checks/check.ts';

export interface Suppression {
  readonly code: string;
  /** Reason for the suppression; empty if none is given. */
  readonly reason: string;
  readonly file: string;
  /** Line number of the comment, starting at 1. */
  readonly line: number;
  /** Line number to which the comment applies. */
  readonly about: number;
}

/** Matches `# lint ignore SL008: reason`, also after `//`. */
const comment = /(?:#|\/\/)\s*lint ignore ([A-Z]+\d+)\s*:?[ \t]*(.*?)\s*$/;

export function suppressionsIn(text: string, file: string): readonly Suppression[] {
  if (!text.includes('lint ignore ')) return [];
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const [, code = '', reason = ''] = comment.exec(line) ?? [];
    if (code === '') return [];
    const about = /^\s*(?:#|\/\/)/.test(line) ? nextLine(lines, index) : index + 1;
    return [{ code, reason, file, line: index + 1, about }];
  });
}

/**
 * Reports whether a suppression applies to a finding. Both must have the same code. The suppression must apply to the line of the finding
 * or to the line of its import directive.
 */
export function isAbout({ code, file, about }: Suppression, finding: Finding): boolean {
  const { place } = finding;
  if (place === undefined || finding.code !== code) return false;
  if (place.file === file && place.line === about) return true;
  return place.imported?.file === file && place.imported.line === about;
}

/** Returns the line to which a standalone comment applies: the next line that is neither empty nor a comment. */
function nextLine(lines: readonly string[], index: number): number {
  const next = lines.findIndex((line, at) => at > index && !/^\s*(?:#|\/\/|$)/.test(line));
  return next + 1;
}
