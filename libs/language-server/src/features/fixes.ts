/** Quick fixes: replace an unknown name with the closest known name, and format the document. */
import { CodeActionKind, type CodeAction, type Diagnostic } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { FixData } from '../diagnostics/diagnostic.ts';
import { formatEdits } from './format.ts';

export function fixesFor(document: TextDocument, diagnostics: readonly Diagnostic[]): CodeAction[] {
  return diagnostics.flatMap((diagnostic): CodeAction[] => {
    if (diagnostic.source !== 'sluice') return [];
    const data = diagnostic.data as Partial<FixData> | undefined;
    const fix = { kind: CodeActionKind.QuickFix, diagnostics: [diagnostic], isPreferred: true };
    if (diagnostic.code === 'format') {
      return [{ ...fix, title: 'Format file', edit: { changes: { [document.uri]: formatEdits(document) } } }];
    }
    if (typeof data?.replacement !== 'string') return [];
    const edit = { range: diagnostic.range, newText: quotedAs(document.getText(diagnostic.range), data.replacement) };
    return [{ ...fix, title: `Change to ${data.replacement}`, edit: { changes: { [document.uri]: [edit] } } }];
  });
}

function quotedAs(old: string, text: string): string {
  const quote = /^(["'`]).*\1$/s.exec(old)?.[1] ?? '';
  return quote + text + quote;
}
