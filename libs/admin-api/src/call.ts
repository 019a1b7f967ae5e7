/** One request of the admin API, between the front that let it in and the route that serves it. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { confine, guarded, messageOf, parseDuration, taskOf } from '@sluice/base';
import type { FleetScope } from '@sluice/contracts';
import type { ChangeOptions } from '@sluice/reconciler';
import { Authority } from './access/authority.ts';
import { requestError } from './errors.ts';
import { ClientGone } from './http/body.ts';
import type { Target } from './http/target.ts';

/** Longest time that a change may go unconfirmed, in milliseconds: a day. */
const longestWait = 86_400_000;

interface Call {
  readonly target: Target;
  readonly authority: Authority;
  /** Whether text of the sender may read neither files nor environment variables. */
  readonly confined: boolean;
}

const calls = new WeakMap<IncomingMessage, Call>();
const noCall: Call = {
  target: { path: '/', query: '', host: null },
  authority: new Authority(null, []),
  confined: true,
};

/** Remembers what a request is for, as routers change `request.url`, and who sent it. Called by the front. */
export function setCall(request: IncomingMessage, call: Call): void {
  calls.set(request, call);
}

/** The target of a request that the front let in, `undefined` of another. */
export function knownTarget(request: IncomingMessage): Target | undefined {
  return calls.get(request)?.target;
}

/** The target of a request that the front let in. */
export function targetOf(request: IncomingMessage): Target {
  return (calls.get(request) ?? noCall).target;
}

/** What the sender of a request may do. */
export function authorityOf(request: IncomingMessage): Authority {
  return (calls.get(request) ?? noCall).authority;
}

/** Reports whether text of the sender may read neither files nor environment variables: see {@link confine}. */
export function isConfinedCall(request: IncomingMessage): boolean {
  return (calls.get(request) ?? noCall).confined;
}

/** A signal that is aborted when the client leaves before it has its response. */
export function whileWaited(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const leave = guarded(taskOf('admin'), () => controller.abort(new ClientGone()));
  if (response.destroyed) leave();
  else response.once('close', leave);
  return controller.signal;
}

/** Runs a task for the sender of a request, confined if the sender is. */
export function confinedAs<T>(request: IncomingMessage, task: () => T): T {
  return isConfinedCall(request) ? confine(task) : task();
}

export function methodOf(request: IncomingMessage): string {
  return request.method ?? 'GET';
}

/** Whether the query asks for a rehearsal: `?dry_run`, and not `?dry_run=false` or `=0`. */
function isDryRun(target: Target): boolean {
  return asks(target, 'dry_run');
}

/** Whether the query has a word, and not with `=false` or `=0`. */
export function asks({ query }: Target, word: string): boolean {
  const value = new URLSearchParams(query).get(word);
  return value !== null && value !== 'false' && value !== '0';
}

/** How many of the modules that a change keeps are listed, where a dry run does not say. */
const keptByDefault = 100;

/** How a change is to be made, and, in a fleet, how long its client waits for whom. */
export interface RequestedChange extends ChangeOptions {
  readonly maxKept: number;
  readonly wait: FleetScope;
  /** The stages of a rollout; `null` for a change that is in force at once. */
  readonly rollout: string | null;
}

/**
 * How the client of a change wants it done: `?dry_run`, `?kept=all`, `?confirm_within=60s`, `?wait=all`, `?rollout=canary:1,all`,
 * `Idempotency-Key`. What can't be read is status 400.
 */
export function changeOptionsOf(request: IncomingMessage): RequestedChange {
  const target = targetOf(request);
  const key = request.headers['idempotency-key'];
  if (key !== undefined && !/^[\w.:-]{1,100}$/.test(String(key)))
    throw requestError('an Idempotency-Key has 1 to 100 letters, digits, and any of _ . : -');
  return {
    origin: `${methodOf(request)} ${target.path}`,
    by: authorityOf(request).name,
    dryRun: isDryRun(target),
    maxKept: maxKept(target),
    confirmWithin: confirmWithin(target),
    wait: scopeOf(target),
    rollout: rolloutOf(target),
    ...(key === undefined ? {} : { op: String(key) }),
  };
}

/** Adds the digest of a request whose client has named it, so that another one by the same name is found. */
export function withDigest(options: RequestedChange, body: Buffer | null): RequestedChange {
  if (options.op === undefined) return options;
  const digest = createHash('sha256')
    .update(`${options.origin}\n`)
    .update(body ?? '')
    .digest('base64url');
  return { ...options, request: digest };
}

function rolloutOf({ query }: Target): string | null {
  const words = new URLSearchParams(query);
  const rollout = words.get('rollout');
  if (rollout !== null && words.has('confirm_within'))
    throw requestError(
      'a rollout is taken back by what is seen of it, and cannot be confirmed: rollout or confirm_within',
    );
  return rollout;
}

function scopeOf({ query }: Target): FleetScope {
  const wait = new URLSearchParams(query).get('wait') ?? 'here';
  if (wait === 'here' || wait === 'majority' || wait === 'all') return wait;
  throw requestError(`wait is here, majority or all, not ${JSON.stringify(wait)}`);
}

/** Of how many modules that are kept a dry run tells. */
function maxKept({ query }: Target): number {
  const text = new URLSearchParams(query).get('kept');
  if (text === null) return keptByDefault;
  if (text === 'all') return Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw requestError(`kept is a number of modules, or all, not ${JSON.stringify(text)}`);
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
