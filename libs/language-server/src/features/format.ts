/** Formatting: applies the result of `sluice fmt` as a single edit of the changed part. */
import type { TextEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { formatCaddyfile } from '@sluice/caddyfile';
import { rangeOf } from '../text/span.ts';

/** Returns the edits that format a Caddyfile; empty if it is already formatted. Keeps the document's line endings. */
export function formatEdits(document: TextDocument): TextEdit[] {
  const before = document.getText();
  const formatted = formatCaddyfile(before);
  const after = before.includes('\r\n') ? formatted.replaceAll('\n', '\r\n') : formatted;
  if (after === before) return [];
  const minLength = Math.min(before.length, after.length);
  let start = 0;
  while (start < minLength && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  // An edit between `\r` and `\n` would split a line ending.
  if (before.charAt(start - 1) === '\r') start--;
  let same = 0;
  while (
    same < minLength - start &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same++;
  if (before.charAt(before.length - same) === '\n' && same > 0) same--;
  const range = rangeOf(document, { start, end: before.length - same });
  return [{ range, newText: after.slice(start, after.length - same) }];
}
