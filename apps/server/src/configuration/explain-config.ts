/** Explains requests to a configuration that does not run. */
import type { LogSink } from '@sluice/base';
import { IdIndex } from '@sluice/engine';
import { httpApp, loadExplain, type ExplainRequest, type Explanation } from '@sluice/http-app';
import type { Registry } from '@sluice/registry';
import { CommandError } from '../failure.ts';
import { detachedRuntime } from './detached-runtime.ts';
import type { ReadConfig } from './read-config.ts';

/** A configuration that was provisioned to be explained. Close it when that is done. */
export interface ConfigExplainer {
  /** `milliseconds`: how long one explanation may take. */
  explain(request: ExplainRequest, milliseconds?: number): Promise<Explanation>;
  close(): Promise<void>;
}

/** Provisions a configuration in no role: nothing is bound, opened or started. */
export async function explainConfig(
  { document, sources }: Pick<ReadConfig, 'document' | 'sources'>,
  registry: Registry,
  sink: LogSink,
): Promise<ConfigExplainer> {
  const runtime = detachedRuntime(registry, sink, { control: false, traffic: false });
  new IdIndex().plan(null, document);
  try {
    runtime.commit(await runtime.prepare(document));
  } catch (error) {
    await runtime.close();
    throw sources?.inError(error, document) ?? error;
  }
  const app = runtime.app(httpApp);
  if (app === null) {
    await runtime.close();
    throw new CommandError('the configuration has no app http: there are no requests to explain');
  }
  const { Explainer } = await loadExplain();
  const explainer = new Explainer();
  return {
    explain: (request, milliseconds) => explainer.explain(request, { app, document, registry, sources }, milliseconds),
    close: async () => {
      explainer.close();
      await runtime.close();
    },
  };
}
