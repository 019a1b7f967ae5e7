/** What shows only when a configuration is provisioned: modules that refuse their options, and what checks find. */
import type { Json } from '@sluice/base';
import type { LanguageServices } from '../services.ts';
import type { Span } from '../text/span.ts';
import type { Problem } from './diagnostic.ts';
import { locatedMessage } from './json-problems.ts';

/** A configuration that can be rehearsed. */
export interface Rehearsed {
  readonly document: Json;
  /** Where a path of a message stands in the text. */
  spanOf(where: string): Span;
  /** Whether the text is the document itself, so that paths need not be told. */
  readonly written: boolean;
}

/** Provisions a configuration and releases it. */
export async function rehearsalProblems(services: LanguageServices, rehearsed: Rehearsed): Promise<Problem[]> {
  const { document, spanOf, written } = rehearsed;
  const said = (where: string, message: string): string => (written || where === '' ? message : `${where}: ${message}`);
  try {
    const findings = await services.rehearse(document);
    return findings.map(({ check, path, message }) => ({
      ...spanOf(path),
      message: said(path, message),
      severity: 'warning',
      code: check,
    }));
  } catch (error) {
    const { where, message } = locatedMessage(error);
    return [{ ...spanOf(where), message: said(where, message), severity: 'error' }];
  }
}
