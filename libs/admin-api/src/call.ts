/** State of one admin API request, which the front end of the admin server passes to the route handler. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ShadowOptions } from '@sluice/registry';
import { confine, guarded, messageOf, parseDuration, taskOf } from '@sluice/base';
import type { FleetScope } from '@sluice/contracts';
import type { ChangeOptions } from '@sluice/reconciler';
import { Authority } from './access/authority.ts';
import { forbidden, requestError } from './errors.ts';
import { ClientGone } from './http/body.ts';
import type { Target } from './http/target.ts';

/** Maximum time to wait for the confirmation of a change, in milliseconds: one day. */
const maxWait = 86_400_000;

interface Call {
  readonly target: Target;
  readonly authority: Authority;
  /** True if placeholders in client-supplied text must not read files or environment variables. */
  readonly confined: boolean;
}

const calls = new WeakMap<IncomingMessage, Call>();
const noCall: Call = {
  target: { path: '/', query: '', host: null },
  authority: new Authority(null, []),
  confined: true,
};

export function setCall(request: IncomingMessage, call: Call): void {
  calls.set(request, call);
}

/** Returns the parsed target of an accepted request, or `undefined` if there is none. */
export function knownTarget(request: IncomingMessage): Target | undefined {
  return calls.get(request)?.target;
}

export function targetOf(request: IncomingMessage): Target {
  return (calls.get(request) ?? noCall).target;
}

/** Returns the rights of the client that sent the request. */
export function authorityOf(request: IncomingMessage): Authority {
  return (calls.get(request) ?? noCall).authority;
}

/**
 * Reports whether {@link confine} applies to the request. If so, placeholders in client-supplied text must not read files or environment
 * variables.
 */
export function isConfinedCall(request: IncomingMessage): boolean {
  return (calls.get(request) ?? noCall).confined;
}

/** Returns an abort signal that fires if the client disconnects before the response is sent. */
export function whileWaited(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const leave = guarded(taskOf('admin'), () => controller.abort(new ClientGone()));
  if (response.destroyed) leave();
  else response.once('close', leave);
  return controller.signal;
}

/**
 * Runs a task with the restrictions of the request's client. If the client is confined, placeholders cannot read files or environment
 * variables.
 */
export function confinedAs<T>(request: IncomingMessage, task: () => T): T {
  return isConfinedCall(request) ? confine(task) : task();
}

export function methodOf(request: IncomingMessage): string {
  return request.method ?? 'GET';
}

/** Reports whether the query requests a dry run. `?dry_run` does; `?dry_run=false` and `?dry_run=0` do not. */
function isDryRun(target: Target): boolean {
  return asks(target, 'dry_run');
}

/** Reports whether a dry run must compare request handling (`?dry_run=behavior`). */
function comparesBehavior({ query }: Target): boolean {
  const value = new URLSearchParams(query).get('dry_run');
  // Any other value requests a plain dry run.
  return value === 'behavior' || value === 'shadow';
}

/** Default and maximum limits for replaying recorded requests in a shadow run. */
const shadowBounds = { requests: { standard: 200, most: 5000 }, seconds: { standard: 10, most: 60 } } as const;

/** Parses the parameters of `?dry_run=shadow`, or of `?shadow` for proposals. Returns `null` for other requests. */
function shadowOf(request: IncomingMessage): ShadowOptions | null {
  const target = targetOf(request);
  const words = new URLSearchParams(target.query);
  if (words.get('dry_run') !== 'shadow' && !asks(target, 'shadow')) return null;
  // Require this permission, because the proposed configuration determines the upstreams that receive the replayed requests.
  if (!authorityOf(request).allowsPath('POST', '/explain/shadow'))
    throw forbidden('dry_run=shadow sends requests, and requires permission for POST /explain/shadow');
  const numberOf = (name: keyof typeof shadowBounds): number => {
    const { standard, most: max } = shadowBounds[name];
    const text = words.get(name) ?? String(standard);
    if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= max) return Number(text);
    throw requestError(`${name} must be a number from 1 to ${max}, not ${JSON.stringify(text)}`);
  };
  const unsafe = (words.get('unsafe') ?? '').split(',').filter((each) => each !== '');
  return {
    requests: numberOf('requests'),
    seconds: numberOf('seconds'),
    live: asks(target, 'live'),
    unsafe,
    confined: isConfinedCall(request),
  };
}

/** Reports whether the query contains a flag whose value is neither `false` nor `0`. */
export function asks({ query }: Target, word: string): boolean {
  const value = new URLSearchParams(query).get(word);
  return value !== null && value !== 'false' && value !== '0';
}

/** Default maximum number of unchanged modules that a dry-run report lists. */
const keptByDefault = 100;

/** Options of a requested change. In a fleet, they include the members to wait for and the timeout. */
export interface RequestedChange extends ChangeOptions {
  readonly maxKept: number;
  readonly wait: FleetScope;
  /** Rollout stages. `null` applies the change immediately. */
  readonly rollout: string | null;
  /** True if the change must not affect how any request is handled. */
  readonly expectSame: boolean;
  /** Reason for overriding the change policies. `null` if the change must comply with the policies. */
  readonly override: string | null;
  /** True if placeholders from the client must not read files or environment variables. */
  readonly confined: boolean;
}

/**
 * Parses the options of a change request. Examples are `?dry_run`, `?dry_run=behavior`, `?dry_run=shadow`, `?expect_same`, `?kept=all`,
 * `?confirm_within=60s`, `?wait=all`, `?rollout=1%,all`, and the `Idempotency-Key` header. Rejects invalid options with status 400.
 */
export function changeOptionsOf(request: IncomingMessage): RequestedChange {
  const target = targetOf(request);
  const key = request.headers['idempotency-key'];
  if (key !== undefined && !/^[\w.:-]{1,100}$/.test(String(key)))
    throw requestError('an Idempotency-Key must have 1 to 100 characters: letters, digits, and any of _ . : -');
  return {
    origin: `${methodOf(request)} ${target.path}`,
    by: authorityOf(request).name,
    dryRun: isDryRun(target),
    comparesBehavior: comparesBehavior(target),
    shadow: shadowOf(request),
    expectSame: asks(target, 'expect_same'),
    override: overrideOf(request),
    confined: isConfinedCall(request),
    maxKept: maxKept(target),
    confirmWithin: confirmWithin(target),
    wait: scopeOf(target),
    rollout: rolloutOf(target),
    ...(key === undefined ? {} : { op: String(key) }),
  };
}

/** Adds a request digest to a change that has a client-chosen ID. The digest detects reuse of the ID for a different request. */
export function withDigest(options: RequestedChange, body: Buffer | null): RequestedChange {
  if (options.op === undefined) return options;
  const digest = createHash('sha256')
    .update(`${options.origin}\n`)
    .update(body ?? '')
    .digest('base64url');
  return { ...options, request: digest };
}

/** Returns the reason in the `Sluice-Override` header. Only clients with unrestricted permissions may override the policies. */
function overrideOf(request: IncomingMessage): string | null {
  const reason = request.headers['sluice-override'];
  if (reason === undefined) return null;
  if (!authorityOf(request).isUnrestricted) throw forbidden('Sluice-Override requires a token with full access');
  const text = String(reason).trim();
  if (text === '' || text.length > 500) throw requestError('Sluice-Override: must be a reason of 1 to 500 characters');
  return text;
}

function rolloutOf({ query }: Target): string | null {
  const words = new URLSearchParams(query);
  const rollout = words.get('rollout');
  if (rollout !== null && words.has('confirm_within'))
    throw requestError('rollout and confirm_within cannot be combined, because a rollout is rolled back automatically');
  return rollout;
}

function scopeOf({ query }: Target): FleetScope {
  const wait = new URLSearchParams(query).get('wait') ?? 'here';
  if (wait === 'here' || wait === 'majority' || wait === 'all') return wait;
  throw requestError(`wait must be "here", "majority" or "all", not ${JSON.stringify(wait)}`);
}

/** Returns the maximum number of unchanged modules to list in a dry-run report. */
function maxKept({ query }: Target): number {
  const text = new URLSearchParams(query).get('kept');
  if (text === null) return keptByDefault;
  if (text === 'all') return Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw requestError(`kept must be a number of modules, or "all", not ${JSON.stringify(text)}`);
}

/** Returns the confirmation timeout in milliseconds, or `undefined` if the query doesn't require confirmation. */
function confirmWithin({ query }: Target): number | undefined {
  const text = new URLSearchParams(query).get('confirm_within');
  if (text === null) return undefined;
  let wait;
  try {
    wait = parseDuration(text);
  } catch (error) {
    throw requestError(`confirm_within: ${messageOf(error)}`);
  }
  if (wait > 0 && wait <= maxWait) return wait;
  throw requestError(`confirm_within must be more than 0 and at most 24h, not ${JSON.stringify(text)}`);
}
