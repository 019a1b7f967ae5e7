import type { Range } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';

/** A text range, as offsets in UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Converts a text range to lines and columns. */
export function rangeOf(document: TextDocument, { start, end }: Span): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}
