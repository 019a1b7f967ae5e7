/** One request of the admin API, between the front that let it in and the route that answers it. */
import type { IncomingMessage } from 'node:http';
import type { Target } from './http/target.ts';

const targets = new WeakMap<IncomingMessage, Target>();

/** Remembers the target of a request, as routers change `request.url`. Called by the front. */
export function setTarget(request: IncomingMessage, target: Target): void {
  targets.set(request, target);
}

/** The target of a request that the front let in. */
export function targetOf(request: IncomingMessage): Target {
  return targets.get(request) ?? { path: '/', query: '', host: null };
}

/** The method of a request. */
export function methodOf(request: IncomingMessage): string {
  return request.method ?? 'GET';
}

/** Whether the query asks for a rehearsal: `?dry_run`, and not `?dry_run=false` or `=0`. */
export function isDryRun({ query }: Target): boolean {
  const value = new URLSearchParams(query).get('dry_run');
  return value !== null && value !== 'false' && value !== '0';
}
