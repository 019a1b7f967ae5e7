/** Provisions a configuration without serving it, for commands that don't run a server. */
import type { LogSink } from '@sluice/base';
import { IdIndex, rehearse } from '@sluice/reconciler';
import type { Finding, Registry } from '@sluice/registry';
import { detachedRuntime } from './detached-runtime.ts';
import type { ReadConfig } from './read-config.ts';

/** Provisions a configuration as in a control thread without traffic, then disposes of it. Returns the findings of checks. */
export async function tryConfig(
  { document, sources }: Pick<ReadConfig, 'document' | 'sources'>,
  registry: Registry,
  sink: LogSink,
): Promise<readonly Finding[]> {
  const runtime = detachedRuntime(registry, sink, { control: true, traffic: false });
  new IdIndex().plan(null, document);
  const { warnings } = await rehearse(runtime, document, sources);
  return warnings;
}
