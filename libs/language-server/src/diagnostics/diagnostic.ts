/** What is found out about a document, before it is given to the editor. */
import {
  DiagnosticSeverity,
  DiagnosticTag,
  type Diagnostic,
  type DiagnosticRelatedInformation,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { rangeOf, type Span } from '../text/span.ts';

/** Something wrong. */
export interface Problem extends Span {
  readonly message: string;
  readonly severity: 'error' | 'warning' | 'information';
  /** Name of the check that found it. */
  readonly code?: string;
  /** The address of a page that explains the code. */
  readonly page?: string;
  /** What to write in its place. */
  readonly replacement?: string;
  /** Where else to look. */
  readonly related?: readonly DiagnosticRelatedInformation[];
  /** Something that has no effect. */
  readonly unused?: boolean;
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
} as const;

/** What a diagnostic keeps for its quick fix. */
export interface FixData {
  readonly replacement: string;
}

/** The form in which the editor gets it. */
export function diagnosticOf(document: TextDocument, problem: Problem): Diagnostic {
  const { message, severity, code, page, replacement, related, unused } = problem;
  return {
    source: 'sluice',
    message,
    severity: severities[severity],
    range: rangeOf(document, problem),
    ...(code === undefined ? {} : { code }),
    ...(page === undefined ? {} : { codeDescription: { href: page } }),
    ...(replacement === undefined ? {} : { data: { replacement } satisfies FixData }),
    ...(related === undefined ? {} : { relatedInformation: [...related] }),
    ...(unused === true ? { tags: [DiagnosticTag.Unnecessary] } : {}),
  };
}
