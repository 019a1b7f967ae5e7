/** Adds a comparison of real responses to a dry run if the client requests the comparison. */
import { SluiceError, type Json } from '@sluice/base';
import { httpApp } from '@sluice/http-app';
import { liveRequestsToken, requestSamplesToken } from '@sluice/http-observability';
import type { RehearsedChange, RunningServer, ShadowOptions } from '@sluice/registry';
import { isRecorded } from '../explain/recorded.ts';
import { shadowThreadToken, type LiveRequest } from './shadow-thread.ts';

/**
 * Permission that is required to replay requests. It is a separate permission, because the proposed configuration determines where requests
 * are sent.
 */
const shadowRight = { method: 'POST', path: '/explain/shadow' } as const;

/** Time allowed for provisioning both configurations, in seconds. Also limits how long live requests are sent if the subscriber is lost. */
const startTime = 60;

/** Adds the comparison to a dry run if the client requests it. Loads the comparison code on first use. */
export function reportShadow(server: RunningServer, { apps, effective, shadow, reportLater }: RehearsedChange): void {
  if (shadow === null) return;
  const servers = server.app(httpApp)?.servers;
  if (servers === undefined || apps.app(httpApp) === null)
    throw new SluiceError('ERR_SHADOW', 'both configurations must have an http app', { status: 409 });
  const task = { before: server.effective, after: effective, options: shadow };
  const served = new Set(servers.keys());
  reportLater('shadow', () => replay(server, task, served), shadowRight);
}

interface Task {
  readonly before: Json;
  readonly after: Json;
  readonly options: ShadowOptions;
}

async function replay(server: RunningServer, task: Task, served: ReadonlySet<string>): Promise<Json> {
  const thread = server.service(shadowThreadToken);
  if (thread === undefined)
    throw new SluiceError('ERR_SHADOW', 'this server cannot replay requests because it has embedded modules', {
      status: 501,
    });
  const { replayable, selectRecorded } = await import('./shadow-requests.ts');
  const { requests: count, live, unsafe, seconds } = task.options;
  const allowsUnsafe = unsafe.length > 0;
  const isServed = (record: unknown): boolean =>
    isRecorded(record) && (record.server === null || served.has(record.server));
  const records = (server.service(requestSamplesToken)?.records() ?? []).filter(isServed);
  // Select fewer recorded requests to leave room for live requests.
  const selected = selectRecorded(records, live ? Math.ceil(count / 2) : count, allowsUnsafe);
  const listen = (take: (request: LiveRequest) => void): (() => void) =>
    server.service(liveRequestsToken)?.listen(seconds + startTime, (record) => {
      if (isServed(record) && isRecorded(record)) take(replayable(record, 'live', allowsUnsafe));
    }) ?? (() => undefined);
  const report = await thread.run({ ...task, ...selected }, live ? listen : () => () => undefined);
  return report as unknown as Json;
}
