/** Adds to dry-run reports the recorded requests that would be routed differently. */
import type { JsonObject } from '@sluice/base';
import type { RehearsedChange, RunningServer } from '@sluice/registry';
import { httpApp } from '@sluice/http-app';
import { explainerOf } from './load.ts';
import { lastRecorded, questionOf } from './recorded.ts';
import type { Outcome } from './types.ts';

/** Maximum number of requests to compare. `maxReported` limits the number of reported requests. */
const maxCompared = 100;
const maxReported = 20;

/** Maximum duration of a comparison, in milliseconds. Other changes wait until the comparison ends. */
const maxDuration = 100;

/** Adds the report to a dry run. Loads code only if there are recorded requests. */
export async function reportRequests(
  server: RunningServer,
  { before, after, apps, report }: RehearsedChange,
): Promise<void> {
  const [now, then] = [server.app(httpApp), apps.app(httpApp)];
  // Servers from earlier configurations may no longer exist.
  const requests = lastRecorded(server, maxCompared)
    .filter(({ server: name }) => name === null || now?.servers.has(name) === true)
    .map(questionOf);
  if (requests.length === 0 || now === null || then === null) return;
  const { explainer, planRequests } = await explainerOf(server);
  const { registry } = server;
  const compared = {
    before: { app: now, document: before, registry, sources: null },
    after: { app: then, document: after, registry, sources: null, isProposed: true },
  };
  const plan = await planRequests(explainer, requests, compared, { milliseconds: maxDuration, turns: null });
  const elsewhere = plan.elsewhere.slice(0, maxReported).map((each) => ({
    request: { method: each.request.method ?? 'GET', url: each.request.url },
    before: shortOf(each.before),
    after: shortOf(each.after),
    what: each.what,
  }));
  const { length: count } = plan.elsewhere;
  const moved = { compared: plan.compared, unknown: plan.unknown, count, elsewhere };
  report('requests', moved, { method: 'POST', path: '/explain/plan' });
}

function shortOf({ kind, status, route, upstream }: Outcome): JsonObject {
  return { kind, status, route, upstream: upstream?.address ?? null };
}
