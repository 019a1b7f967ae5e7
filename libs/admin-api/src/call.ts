/** One request of the admin API, between the front that let it in and the route that answers it. */
import type { IncomingMessage } from 'node:http';
import { messageOf, parseDuration, type ChangeOptions } from '@sluice/registry';
import { requestError } from './errors.ts';
import type { Target } from './http/target.ts';

/** Longest time that a change may go unconfirmed, in milliseconds: a day. */
const longestWait = 86_400_000;

const targets = new WeakMap<IncomingMessage, Target>();

/** Remembers the target of a request, as routers change `request.url`. Called by the front. */
export function setTarget(request: IncomingMessage, target: Target): void {
  targets.set(request, target);
}

/** The target of a request that the front let in. */
export function targetOf(request: IncomingMessage): Target {
  return knownTarget(request) ?? { path: '/', query: '', host: null };
}

/** The target of a request, or `undefined` if the front did not let it in. */
export function knownTarget(request: IncomingMessage): Target | undefined {
  return targets.get(request);
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

/** How the client of a change wants it done: `?dry_run`, `?confirm_within=60s`. What can't be read is status 400. */
export function changeOptionsOf(request: IncomingMessage): ChangeOptions {
  const target = targetOf(request);
  return {
    origin: `${methodOf(request)} ${target.path}`,
    dryRun: isDryRun(target),
    confirmWithin: confirmWithin(target),
  };
}

/** Milliseconds, or `undefined` where the query does not ask for a confirmation. */
function confirmWithin({ query }: Target): number | undefined {
  const text = new URLSearchParams(query).get('confirm_within');
  if (text === null) return undefined;
  let wait;
  try {
    wait = parseDuration(text);
  } catch (error) {
    throw requestError(`confirm_within: ${messageOf(error)}`);
  }
  if (wait > 0 && wait <= longestWait) return wait;
  throw requestError(`confirm_within must be more than 0 and at most 24h, not ${JSON.stringify(text)}`);
}
