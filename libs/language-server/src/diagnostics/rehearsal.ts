/** Finds problems that only provisioning can detect: options that modules reject, and findings of configuration checks. */
import type { Json } from '@sluice/base';
import type { LanguageServices } from '../services.ts';
import type { Span } from '../text/span.ts';
import type { Problem } from './diagnostic.ts';
import { locatedMessage } from './json-problems.ts';

export interface Rehearsed {
  readonly document: Json;
  /** Returns the text range for a configuration path. Returns `null` if it is unknown. */
  spanOf(where: string): Span | null;
  /** Range to mark if the path has no known range. */
  readonly otherwise: Span;
}

/** Provisions a configuration in a dry run and returns the problems. */
export async function rehearsalProblems(services: LanguageServices, rehearsed: Rehearsed): Promise<Problem[]> {
  const { document, spanOf, otherwise } = rehearsed;
  const place = (where: string, message: string): Span & Pick<Problem, 'message'> => {
    const span = where === '' ? null : spanOf(where);
    if (span !== null) return { ...span, message };
    return { ...otherwise, message: where === '' ? message : `${where}: ${message}` };
  };
  try {
    const findings = await services.rehearse(document);
    return findings.map(({ check, code, page, severity, path, message }) => ({
      ...place(path, message),
      severity: severity === 'note' ? 'information' : 'warning',
      code: code ?? check,
      // Omit relative documentation links, because editors can't open them.
      ...(page !== undefined && URL.canParse(page) ? { page } : {}),
    }));
  } catch (error) {
    const { where, message } = locatedMessage(error);
    return [{ ...place(where, message), severity: 'error' }];
  }
}
