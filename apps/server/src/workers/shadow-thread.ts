/**
 * Thread that replays requests through two configurations. It has its own registry, shared cells, metrics and message bus. It has no
 * runtime role, binds no sockets, and does not affect other threads.
 */
import { parentPort } from 'node:worker_threads';
import { confine, guarded, SluiceError, taskOf, type LogSink } from '@sluice/base';
import { httpApp, upstreamStandIn, type HttpApp } from '@sluice/http-app';
import { loadShadow, type LiveRequest, type ShadowReport } from '@sluice/http-analysis';
import { Registry, type AppLookup } from '@sluice/registry';
import { detachedRuntime } from '../configuration/detached-runtime.ts';
import { registerModules } from '../modules/register-modules.ts';
import { registerStandard } from '../register-standard.ts';
import type { ShadowMessage } from './shadow-message.ts';
import { replyOf } from './task-reply.ts';

/** Log sink that drops all entries, because replayed requests are not logged. */
const noLog: LogSink = { enabled: () => false, write: () => undefined };

/** Live requests that arrive while the configurations are being provisioned. */
const early: LiveRequest[] = [];
let take = (request: LiveRequest): void => void early.push(request);

async function run({ task, modules }: Extract<ShadowMessage, { readonly task: unknown }>): Promise<ShadowReport> {
  const registry = new Registry();
  registerStandard(registry);
  await registerModules(registry, modules);
  const { Shadow, guardedUpstreams } = await loadShadow();
  const { before, after, options } = task;
  const services = new Map([[upstreamStandIn, guardedUpstreams(options.unsafe)]]);
  const runtime = detachedRuntime(registry, noLog, { control: false, traffic: false }, services);
  runtime.commit(await runtime.prepare(before));
  return runtime.tryOut(after, async (candidate) => {
    const shadow = new Shadow(
      { before: appIn(runtime), after: appIn(runtime.appsOf(candidate)) },
      options,
      task.requests,
    );
    for (const each of task.leftOut) shadow.leaveOut(each);
    take = (request) => ('reason' in request ? shadow.leaveOut(request) : shadow.add(request));
    for (const request of early) take(request);
    // Confine the whole run, because the restriction also applies to placeholders that are not part of a request.
    return options.confined ? confine(() => shadow.run()) : shadow.run();
  });
}

function appIn(apps: AppLookup): HttpApp {
  const app = apps.app(httpApp);
  if (app === null) throw new SluiceError('ERR_SHADOW', 'the configuration has no http app');
  return app;
}

parentPort?.on(
  'message',
  guarded(taskOf('shadow'), (message: ShadowMessage) => {
    if ('live' in message) take(message.live);
    else void replyOf('ERR_SHADOW', () => run(message)).then((sent) => parentPort?.postMessage(sent, []));
  }),
);
