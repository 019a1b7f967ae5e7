/** Intentional differences between Caddy and Sluice, each with its reason. docs/differences.md describes them. */
import type { Observation, SeenMessage } from './observation.ts';
import type { Pair } from './pair.ts';

/** Caddy's and Sluice's observations of one pair. */
type Sides = readonly [reference: Observation, subject: Observation];

/** An intentional difference. `level` removes the difference from both observations, or returns `null` if it is not present. */
interface KnownDifference {
  readonly reason: string;
  level(sides: Sides, pair: Pair): Sides | null;
}

const knownDifferences: readonly KnownDifference[] = [
  {
    reason: 'each server sends its own name in the Server field',
    level: (sides) => withoutLines(sides, 'client', /^Server: (?:Caddy|Sluice)$/),
  },
  {
    reason: 'a complete response of unknown length is forwarded with its length',
    level: ([reference, subject]) =>
      /^(?:chunked|close)$/.test(reference.response?.framing ?? '') && subject.response?.framing.startsWith('length')
        ? [unframed(reference), unframed(subject)]
        : null,
  },
  {
    reason: "a response of unknown length has only the upstream's Content-Type; in Caddy, this depends on timing",
    level: (sides, { response }) =>
      response.pieces.join('').includes('\r\nContent-Type: ') || hasType(sides[1])
        ? null
        : withoutLines(sides, 'client', /^Content-Type:/),
  },
  {
    reason:
      'a response that flush_interval sends immediately gets a detected Content-Type; in Caddy, this depends on timing',
    level: (sides, { response, route }) =>
      route === 'buffered' && !response.pieces.join('').includes('\r\nContent-Type: ')
        ? withoutLines(sides, 'client', /^Content-Type:/)
        : null,
  },
  {
    reason: 'trailers are announced if they are known in time',
    level: (sides) => (sides[1].response?.trailers.length === 0 ? null : withoutLines(sides, 'client', /^Trailer:/)),
  },
  {
    reason: 'an empty Content-Type is not forwarded',
    level: (sides) => withoutLines(sides, 'client', /^Content-Type: $/),
  },
  {
    reason: 'Pragma is not translated to Cache-Control',
    level: (sides, { request }) =>
      request.includes('\r\nPragma: no-cache\r\n')
        ? withoutLines(sides, 'upstream', /^Cache-Control: no-cache$/)
        : null,
  },
  {
    reason: 'HTTP/1.0 clients get no interim responses',
    level: ([reference, subject], { request }) =>
      request.includes(' HTTP/1.0\r\n') && reference.interim.length > 0
        ? [{ ...reference, interim: [] }, subject]
        : null,
  },
  {
    reason: 'a client that has already sent its body is not asked to continue',
    level: ([reference, subject], { request }) => {
      const [first, ...rest] = reference.interim;
      const isOurs = first?.start.includes(' 100 ') === true && subject.interim.length === rest.length;
      return isOurs && request.includes('\r\nExpect:') ? [{ ...reference, interim: rest }, subject] : null;
    },
  },
  {
    reason: 'an idempotent request lost on an idle connection is sent again once, even with a body',
    level: (sides, { notes }) => (notes.some((note) => note.startsWith('nothing')) ? sentOnce(sides) : null),
  },
  {
    reason: 'requests with idempotent methods are retried if retries are enabled, not only GET',
    level: (sides, { route }) => (route === 'retried' ? sentOnce(sides) : null),
  },
  {
    reason: 'unannounced request trailers are forwarded as well',
    level: ([reference, subject], { request }) => {
      if (/\r\nTrailer:/.test(request)) return null;
      const bare = (side: Observation): Observation => ({
        ...side,
        upstream: side.upstream.map((each) => ({ ...each, trailers: [] })),
      });
      return [bare(reference), bare(subject)];
    },
  },
  {
    reason:
      'for HTTP/1.0 clients, all Connection lines count, and a length that is known in time keeps the connection alive',
    level: (sides, { request }) =>
      request.includes(' HTTP/1.0\r\n') ? withoutLines(sides, 'client', /^Connection: keep-alive$/) : null,
  },
  {
    reason: 'a connection closes after a request with both framings (RFC 9112 §6.1)',
    level: (sides, { notes }) =>
      notes.includes('length and chunks') ? withoutLines(sides, 'client', /^Connection: close$/) : null,
  },
  {
    reason: 'fields listed in Connection are dropped even if it contains close',
    level: (sides, { response }) =>
      response.pieces.some((piece) => /\r\nConnection: .*X-Named/.test(piece) && piece.includes('Connection: close'))
        ? withoutLines(sides, 'client', /^X-Named:/)
        : null,
  },
  {
    reason: 'an unrequested protocol switch by the upstream is an error: 502; Caddy sends an empty 200',
    level: ([reference, subject], { notes }) =>
      notes.includes('unrequested protocol switch') && statusOf(reference) === '200' && statusOf(subject) === '502'
        ? [
            { ...reference, response: null },
            // If retries are enabled, the proxy retries failed requests.
            { ...subject, response: null, upstream: subject.upstream.slice(0, 1) },
          ]
        : null,
  },
  {
    reason: 'a status line with two spaces is malformed: 502',
    level: ([reference, subject], { notes }) =>
      notes.includes('two spaces before the status') && statusOf(subject) === '502'
        ? [
            { ...reference, response: null },
            { ...subject, response: null },
          ]
        : null,
  },
  {
    reason:
      'a response that is truncated while response_buffers buffers it is an error: 502; Caddy sends the partial response',
    level: ([reference, subject], { route }) =>
      route === 'buffered' && reference.ending === 'cut' && statusOf(subject) === '502'
        ? [
            { ...reference, response: null },
            { ...subject, response: null, ending: 'cut' },
          ]
        : null,
  },
  {
    reason: 'a status below 100 gets 502; Caddy closes the connection',
    level: ([reference, subject], { notes }) =>
      notes.includes('status 099') && reference.response === null && statusOf(subject) === '502'
        ? [reference, { ...subject, response: null, ending: reference.ending }]
        : null,
  },
  {
    reason: 'copy_response_headers omits Content-Length; Caddy copies it and truncates the new body',
    level: ([reference, subject], { route, method }) =>
      route === 'handled' && statusOf(reference) === '418' && (method === 'HEAD' || subject.response?.body === 'short')
        ? [
            { ...reference, response: null, ending: 'complete' },
            { ...subject, response: null },
          ]
        : null,
  },
  {
    reason: 'a malformed request body is a client error: 400; Caddy responds with 502',
    level: ([reference, subject], { notes }) =>
      notes[0]?.includes('chunk ') === true && statusOf(reference) === '502' && statusOf(subject) === '400'
        ? [
            { ...reference, response: null },
            { ...subject, response: null },
          ]
        : null,
  },
];

/** Removes the known differences from two observations. */
export function levelled(pair: Pair, reference: Observation, subject: Observation): { known: string[]; sides: Sides } {
  const known: string[] = [];
  let sides: Sides = [reference, subject];
  for (const { reason, level } of knownDifferences) {
    const next = level(sides, pair);
    if (next === null) continue;
    if (JSON.stringify(sides[0]) !== JSON.stringify(sides[1])) known.push(reason);
    sides = next;
  }
  return { known, sides };
}

function statusOf({ response }: Observation): string {
  return response?.start.slice(9, 12) ?? '';
}

function hasType({ response }: Observation): boolean {
  return response?.fields.some((line) => line.startsWith('Content-Type:')) ?? false;
}

/**
 * Returns both observations as if the upstream had received the request only once. Returns `null` if the request counts are equal or the
 * requests differ.
 */
function sentOnce([reference, subject]: Sides): Sides | null {
  if (reference.upstream.length === subject.upstream.length || !areEqual(reference) || !areEqual(subject)) return null;
  const once = (side: Observation): Observation => ({ ...side, upstream: side.upstream.slice(0, 1) });
  return [once(reference), once(subject)];
}

/** Reports whether the upstream received identical requests each time. */
function areEqual({ upstream }: Observation): boolean {
  return upstream.every((each) => JSON.stringify(each) === JSON.stringify(upstream[0]));
}

function unframed(side: Observation): Observation {
  const plain = strip(side, 'client', /^(?:Content-Length|Transfer-Encoding):/);
  return { ...plain, response: plain.response && { ...plain.response, framing: 'none' } };
}

/** Returns both observations without the header fields that match a pattern, or `null` if these fields are equal. */
function withoutLines(sides: Sides, where: 'client' | 'upstream', pattern: RegExp): Sides | null {
  const matching = (side: Observation): string =>
    messages(side, where)
      .flatMap(({ fields }) => fields.filter((line) => pattern.test(line)))
      .join('\n');
  if (matching(sides[0]) === matching(sides[1])) return null;
  return [strip(sides[0], where, pattern), strip(sides[1], where, pattern)];
}

function strip(side: Observation, where: 'client' | 'upstream', pattern: RegExp): Observation {
  const without = (message: SeenMessage): SeenMessage => ({
    ...message,
    fields: message.fields.filter((line) => !pattern.test(line)),
  });
  return where === 'upstream'
    ? { ...side, upstream: side.upstream.map(without) }
    : { ...side, interim: side.interim.map(without), response: side.response && without(side.response) };
}

function messages(side: Observation, where: 'client' | 'upstream'): readonly SeenMessage[] {
  if (where === 'upstream') return side.upstream;
  return side.response === null ? side.interim : [...side.interim, side.response];
}
