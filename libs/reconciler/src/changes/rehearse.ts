/** Tests a document and adds source locations to the findings. Used by dry runs and `sluice validate`. */
import type { Json } from '@sluice/base';
import type { BuildReport } from '../reconcile/report.ts';
import type { RehearsalOptions, Runtime } from '../reconcile/runtime.ts';
import type { DocumentSources } from './document-sources.ts';

/** Tests a document without changing the active configuration. Rejects with the first error. */
export async function rehearse(
  runtime: Runtime,
  document: Json,
  sources: DocumentSources | null,
  options: RehearsalOptions = {},
): Promise<BuildReport> {
  try {
    const report = await runtime.rehearse(document, options);
    return sources?.inReport(report, document) ?? report;
  } catch (error) {
    throw sources?.inError(error, document) ?? error;
  }
}
