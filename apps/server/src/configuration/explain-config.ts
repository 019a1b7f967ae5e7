/** Explains how a configuration that is not running handles requests. */
import type { LogSink } from '@sluice/base';
import { loadExplain, type ExplainRequest, type Explanation } from '@sluice/http-analysis';
import type { Registry } from '@sluice/registry';
import { detachedApp } from './detached-app.ts';
import type { ReadConfig } from './read-config.ts';

export interface ConfigExplainer {
  /** Explains a request. `milliseconds` is the timeout. */
  explain(request: ExplainRequest, milliseconds?: number): Promise<Explanation>;
  close(): Promise<void>;
}

/** Provisions a configuration without assigning a runtime role. Nothing is bound, opened or started. */
export async function explainConfig(
  { document, sources }: Pick<ReadConfig, 'document' | 'sources'>,
  registry: Registry,
  sink: LogSink,
): Promise<ConfigExplainer> {
  const { app, close } = await detachedApp({ document, sources }, { registry, sink });
  const { Explainer } = await loadExplain();
  const explainer = new Explainer();
  return {
    explain: (request, milliseconds) =>
      explainer.explain(request, { app, document, registry, sources, isProposed: true }, milliseconds),
    close: async () => {
      explainer.close();
      await close();
    },
  };
}
