/** Generates sentences about groups of requests that a change affects. */
import type { Json } from '@sluice/base';
import type { Aspect, Difference } from './types.ts';

/** Verb phrases for a part that a change adds, removes, or modifies. */
interface Phrases {
  readonly added: string;
  readonly removed: string;
  readonly changed: string;
}

const phrases: Partial<Record<Aspect, Phrases>> = {
  authentication: {
    added: 'require authentication',
    removed: 'no longer require authentication',
    changed: 'are authenticated differently',
  },
  rate_limit: {
    added: 'are rate-limited',
    removed: 'are no longer rate-limited',
    changed: 'have a different rate limit',
  },
  cache: { added: 'can be cached', removed: 'are no longer cached', changed: 'are cached differently' },
  encoding: {
    added: 'can be compressed',
    removed: 'are no longer compressed',
    changed: 'are compressed differently',
  },
};

/** Returns a predicate for the subject `… requests`. Example: `go to b:80 instead of a:80 and get status 404 instead of 200`. */
export function predicateOf(differences: readonly Difference[]): string {
  const parts = differences.map(partOf);
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}

function partOf({ aspect, name, before, after }: Difference): string {
  const phrase = phrases[aspect];
  if (phrase !== undefined) return before === null ? phrase.added : after === null ? phrase.removed : phrase.changed;
  switch (aspect) {
    case 'connection':
      return name === '' ? connectionPart(before, after) : receptionPart(name, before, after);
    case 'status':
      return `get status ${shown(after)} instead of ${shown(before)}`;
    case 'redirect':
      if (after === null) return `are no longer redirected to ${shown(before)}`;
      return `are redirected to ${shown(after)}${before === null ? '' : ` instead of ${shown(before)}`}`;
    case 'upstream':
      if (after === null) return `no longer go to ${shown(before)}`;
      return `go to ${shown(after)}${before === null ? '' : ` instead of ${shown(before)}`}`;
    case 'upstream_request':
      return `reach the upstream with ${changeOf(name, before, after)}`;
    case 'header':
      return `get ${changeOf(`header ${name}`, before, after)}`;
    case 'latency':
      return `take ${shown(after)} instead of ${shown(before)} (median)`;
    case 'body':
      if (name === 'etag') return 'get the ETag of a different body';
      return name === 'size' ? `get ${shown(after)} bytes instead of ${shown(before)}` : 'get a different body';
    default:
      if (name.endsWith(responses))
        return `get responses from ${name.slice(0, -responses.length)} with different options`;
      if (before === null) return `run through ${name}`;
      return after === null ? `no longer run through ${name}` : `run through ${name} with different options`;
  }
}

/** Suffix for a handler if the two configurations differ only in its options for responses and failures. */
const responses = ' (responses)';

function connectionPart(before: Json, after: Json): string {
  if (after === 'refused') return 'are no longer accepted, because no server listens on the address';
  if (after === 'timeout') return 'get no complete response in time';
  if (after === 'closed') return 'get no response, because the connection is closed';
  return before === 'refused' ? 'are accepted by a server' : 'get a response';
}

function receptionPart(name: string, before: Json, after: Json): string {
  if (name === 'protocol') return `are no longer accepted with ${shown(before)}`;
  if (name === 'version') return `are no longer accepted with TLS version ${shown(before)}`;
  if (name === 'client certificate')
    return before === null ? 'require a client certificate' : 'authenticate client certificates differently';
  if (after === null) return `no longer get the certificate for ${shown(before)}`;
  return `get the certificate for ${shown(after)}${before === null ? '' : ` instead of ${shown(before)}`}`;
}

function changeOf(name: string, before: Json, after: Json): string {
  if (before === null) return `${name} ${shown(after)}`;
  return after === null
    ? `no ${name} (before: ${shown(before)})`
    : `${name} ${shown(after)} instead of ${shown(before)}`;
}

/** Maximum length of a value in a sentence, in characters. */
const maxLength = 100;

function shown(value: Json): string {
  const text = Array.isArray(value)
    ? value.map((each) => shown(each as Json)).join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
