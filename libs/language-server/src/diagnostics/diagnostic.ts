import {
  DiagnosticSeverity,
  DiagnosticTag,
  type Diagnostic,
  type DiagnosticRelatedInformation,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { rangeOf, type Span } from '../text/span.ts';

export interface Problem extends Span {
  readonly message: string;
  readonly severity: 'error' | 'warning' | 'information';
  /** Name of the check that found the problem. */
  readonly code?: string;
  /** URL of the documentation page for the code. */
  readonly page?: string;
  /** Suggested replacement. */
  readonly replacement?: string;
  /** Related locations. */
  readonly related?: readonly DiagnosticRelatedInformation[];
  /** True if the marked text has no effect. */
  readonly unused?: boolean;
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
} as const;

/** Diagnostic data from which a quick fix is created. */
export interface FixData {
  readonly replacement: string;
}

/** Converts a problem to an LSP diagnostic. */
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
