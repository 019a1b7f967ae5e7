/** Provides the `http` app of a configuration that is not running. */
import type { LogSink } from '@sluice/base';
import { IdIndex } from '@sluice/reconciler';
import { httpApp, type HttpApp } from '@sluice/http-app';
import type { Registry } from '@sluice/registry';
import { CommandError } from '../failure.ts';
import { detachedRuntime, type Services } from './detached-runtime.ts';
import type { ReadConfig } from './read-config.ts';

/** A provisioned `http` app, which must be closed. */
export interface DetachedApp {
  readonly app: HttpApp;
  close(): Promise<void>;
}

export interface DetachedParts {
  readonly registry: Registry;
  readonly sink: LogSink;
  readonly services?: Services;
}

/** Provisions a configuration without assigning a runtime role. Nothing is bound, opened or started. */
export async function detachedApp(
  { document, sources }: Pick<ReadConfig, 'document' | 'sources'>,
  { registry, sink, services }: DetachedParts,
): Promise<DetachedApp> {
  const runtime = detachedRuntime(registry, sink, { control: false, traffic: false }, services);
  new IdIndex().plan(null, document);
  try {
    runtime.commit(await runtime.prepare(document));
  } catch (error) {
    await runtime.close();
    throw sources?.inError(error, document) ?? error;
  }
  const app = runtime.app(httpApp);
  if (app !== null) return { app, close: () => runtime.close() };
  await runtime.close();
  throw new CommandError('the configuration has no http app, so it serves no requests');
}
