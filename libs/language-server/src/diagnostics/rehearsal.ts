/** What shows only when a configuration is provisioned: modules that refuse their options, and what checks find. */
import type { Json } from '@sluice/base';
import type { LanguageServices } from '../services.ts';
import type { Span } from '../text/span.ts';
import type { Problem } from './diagnostic.ts';
import { locatedMessage } from './json-problems.ts';

/** A configuration that can be rehearsed. */
export interface Rehearsed {
  readonly document: Json;
  /** Where a path of a message stands in the text; `null` where that is not known. */
  spanOf(where: string): Span | null;
  /** What is marked then. */
  readonly otherwise: Span;
}

/** Provisions a configuration and releases it. */
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
      // Pages of the documentation have no address here: editors would not find them.
      ...(page !== undefined && URL.canParse(page) ? { page } : {}),
    }));
  } catch (error) {
    const { where, message } = locatedMessage(error);
    return [{ ...place(where, message), severity: 'error' }];
  }
}
