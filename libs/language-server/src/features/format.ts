/** Formats a Caddyfile like `sluice fmt`, with a single edit for the changed part. */
import type { TextEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { formatCaddyfile } from '@sluice/caddyfile';
import { rangeOf } from '../text/span.ts';

/** Returns the edits that format a Caddyfile. The list is empty if it is already formatted. Line endings are preserved. */
export function formatEdits(document: TextDocument): TextEdit[] {
  const before = document.getText();
  const formatted = formatCaddyfile(before);
  const after = before.includes('\r\n') ? formatted.replaceAll('\n', '\r\n') : formatted;
  if (after === before) return [];
  const minLength = Math.min(before.length, after.length);
  let start = 0;
  while (start < minLength && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  // Don't start an edit between the two characters of a CRLF line ending.
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
