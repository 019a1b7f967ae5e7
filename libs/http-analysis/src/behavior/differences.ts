/** Finds the differences between two outcomes of the same request. */
import { jsonEqual, type Json, type JsonObject } from '@sluice/base';
import type { Outcome } from '../explain/types.ts';
import type { Aspect, Difference } from './types.ts';

/** Reports whether a status code is a redirect with a `Location` header (RFC 9110 §15.4). */
const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304;

/** Headers that the comparison covers under other aspects. */
const otherwiseCompared: ReadonlySet<string> = new Set(['location', 'content-length']);

/** Headers whose values depend on the body. Only their presence is compared. */
const validators: ReadonlySet<string> = new Set(['etag', 'last-modified']);

/** Compares two outcomes. Skips parts that are unknown in either outcome, and lists them in `unknown`. */
export function outcomeDifferences(
  before: Outcome,
  after: Outcome,
): {
  readonly differences: Difference[];
  readonly unknown: string[];
} {
  const differences: Difference[] = [];
  const unknown: string[] = [];
  const compare = (aspect: Aspect, name: string, was: Json, is: Json): void => {
    if (!jsonEqual(was, is)) differences.push({ aspect, name, before: was, after: is });
  };
  const ends = [endOf(before), endOf(after)] as const;
  compare('connection', '', ends[0], ends[1]);
  if (ends[0] === null && ends[1] === null) {
    compare('status', '', before.status, after.status);
    compare('redirect', '', locationOf(before), locationOf(after));
    compareFields(before.headers, after.headers, {
      unknown,
      found: (name, was, is) => compare('header', name, was, is),
    });
  }
  compareUpstreams(before, after, compare, unknown);
  // A different status implies a different body. Error pages also contain a random ID, so don't compare these bodies.
  const isError = before.kind === 'error' && after.kind === 'error';
  if (before.status === after.status && !isError) {
    const [was, is] = [sizeOf(before), sizeOf(after)];
    const areForwarded = [isForwarded(before), isForwarded(after)] as const;
    if (areForwarded[0] || areForwarded[1]) {
      // Both configurations sent a request to an upstream, for example for authentication. Only one of the responses came from an upstream.
      const areSent = before.upstream !== null && after.upstream !== null;
      if (areSent && areForwarded[0] !== areForwarded[1]) compare('body', '', before.handler_id, after.handler_id);
    } else if (was !== null && is !== null && was !== is) compare('body', 'size', was, is);
    else if (was === 0 && is === 0) compareTags(before, after, compare);
    else if (before.body !== null && after.body !== null) compare('body', '', before.body, after.body);
  }
  return { differences, unknown };
}

/** Compares the entity tags of two responses without a body. Examples are responses to HEAD requests and responses with status 304. */
function compareTags(before: Outcome, after: Outcome, compare: Compare): void {
  const [was, is] = [lowercased(before.headers)['etag'] ?? null, lowercased(after.headers)['etag'] ?? null];
  if (was !== null && is !== null) compare('body', 'etag', was, is);
}

/** Returns the kind of outcome for a request that ended without a response. Returns `null` if there is a response. */
function endOf({ kind }: Outcome): string | null {
  if (kind === 'abort') return 'closed';
  return kind === 'refused' ? 'refused' : null;
}

const forwarding: ReadonlySet<string> = new Set(['http.handlers.reverse_proxy', 'http.handlers.copy_response']);

/** Reports whether the body came from an upstream and is therefore unknown. */
function isForwarded({ upstream, handler_id: handler }: Outcome): boolean {
  return upstream !== null && (handler === null || forwarding.has(handler));
}

/** Returns the size of the body. For a HEAD request, returns the size that the headers declare. Returns `null` if the size is unknown. */
function sizeOf({ size, headers }: Outcome): number | null {
  if (size !== 0) return size;
  const announced = lowercased(headers)['content-length'] ?? null;
  const [text] = Array.isArray(announced) ? announced : [announced];
  return typeof text === 'string' ? Number(text) : 0;
}

function locationOf({ status, headers }: Outcome): Json {
  const { location = null } = lowercased(headers);
  return isRedirect(status) ? location : null;
}

type Compare = (aspect: Aspect, name: string, was: Json, is: Json) => void;

function compareUpstreams(before: Outcome, after: Outcome, compare: Compare, unknown: string[]): void {
  const [was, is] = [before.upstream, after.upstream];
  if (was?.known === 'unknown' || is?.known === 'unknown' || was?.known === 'assumed' || is?.known === 'assumed')
    // A load balancing policy selects one of several upstreams, so compare the sets of candidates.
    compare('upstream', '', candidatesOf(was), candidatesOf(is));
  else compare('upstream', '', was?.address ?? null, is?.address ?? null);
  if (before.sends === null || after.sends === null) return;
  for (const part of ['method', 'uri', 'host'] as const) {
    const [then, now] = [before.sends[part] ?? null, after.sends[part] ?? null];
    if (then === null || now === null) unknown.push(`upstream request: ${part}`);
    else compare('upstream_request', part, then, now);
  }
  compareFields(fieldsOf(before.sends), fieldsOf(after.sends), {
    unknown,
    found: (name, then, now) => compare('upstream_request', `header ${name}`, then, now),
  });
}

function candidatesOf(upstream: Outcome['upstream']): Json {
  if (upstream === null) return null;
  const possible = upstream.candidates.filter((each) => each.possible).map(({ address }) => address);
  return possible.length > 0 ? [...new Set(possible)].toSorted() : upstream.address;
}

function fieldsOf(sends: JsonObject): JsonObject {
  return (sends['headers'] ?? {}) as JsonObject;
}

interface FieldComparison {
  readonly unknown: string[];
  readonly found: (name: string, before: Json, after: Json) => void;
}

function compareFields(before: JsonObject, after: JsonObject, { unknown, found }: FieldComparison): void {
  const [was, is] = [lowercased(before), lowercased(after)];
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (otherwiseCompared.has(name)) continue;
    const [then, now] = validators.has(name) ? [presence(was[name]), presence(is[name])] : [was[name], is[name]];
    // `null` means that the header is present but its value is unknown.
    if (then === null && now === null) continue;
    if (then === null || now === null) {
      if (then === undefined || now === undefined) found(name, then ?? null, now ?? null);
      else unknown.push(`header ${name}`);
    } else found(name, then ?? null, now ?? null);
  }
}

function presence(value: Json | undefined): Json | undefined {
  return value === undefined ? undefined : 'present';
}

function lowercased(fields: JsonObject): Record<string, Json> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
}
