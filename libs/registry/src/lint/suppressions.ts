/**
 * What users said not to tell of, in comments of their files: `# lint ignore SL008: the page has no children`, on the line or on
 * the one before it. Without a reason it does not count.
 */
import type { Finding } from '../checks/check.ts';

/** One comment. */
export interface Suppression {
  readonly code: string;
  /** Empty where none is written. */
  readonly reason: string;
  readonly file: string;
  /** Where the comment stands, counted from 1. */
  readonly line: number;
  /** The line that it is about. */
  readonly about: number;
}

/** `# lint ignore SL008: reason`, also after `//`. */
const comment = /(?:#|\/\/)\s*lint ignore ([A-Z]+\d+)\s*:?[ \t]*(.*?)\s*$/;

/** The comments of a file. */
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

/** Whether a comment is about a finding, by the code and the line, or by the line that imports what it is in. */
export function isAbout({ code, file, about }: Suppression, finding: Finding): boolean {
  const { place } = finding;
  if (place === undefined || finding.code !== code) return false;
  if (place.file === file && place.line === about) return true;
  return place.imported?.file === file && place.imported.line === about;
}

/** The line that a comment of its own is about: the next one that is neither empty nor a comment. */
function nextLine(lines: readonly string[], index: number): number {
  const next = lines.findIndex((line, at) => at > index && !/^\s*(?:#|\/\/|$)/.test(line));
  return next + 1;
}
