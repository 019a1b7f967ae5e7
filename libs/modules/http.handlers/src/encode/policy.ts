/** Determines which responses to encode. */
import {
  compileResponseMatcher,
  type ResponseMatcher,
  type responseMatcherOptions,
  sniffContentType,
} from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import type { Options } from '@sluice/registry';
import { isEncodedByDefault } from './default-types.ts';

const eventStream = 'text/event-stream';

/** Properties of a response that are known when its body starts. */
export interface BodyBegin {
  /** First chunk of the body, or `null`. */
  readonly first: string | Buffer | null;
  /** True if the body must be sent immediately. If so, its total length is unknown. */
  readonly flushed: boolean;
}

/** Decides whether to encode a response, based on its status, headers and length. */
export class EncodingPolicy {
  readonly #minimum: number;
  readonly #matches: ResponseMatcher;

  constructor(minimum: number, match: Options<typeof responseMatcherOptions> | null) {
    this.#minimum = minimum;
    this.#matches = match === null ? (_, headers) => isEncodedByDefault(headers) : compileResponseMatcher(match);
  }

  /**
   * Reports whether to encode a response, provided that the client accepts the content coding. If the response has no content type, sets a
   * detected one.
   */
  applies(status: number, headers: HeaderMap, { first, flushed }: BodyBegin): boolean {
    if (status === 206 || headers.has('content-encoding') || isNotToBeTransformed(headers)) return false;
    if (!flushed && !isEventStream(headers) && !this.#isLonger(headers, first)) return false;
    if (first !== null && first.length > 0 && (headers.get('content-type') ?? '') === '')
      headers.set('content-type', sniffContentType(first));
    return this.#matches(status, headers);
  }

  #isLonger(headers: HeaderMap, first: string | Buffer | null): boolean {
    const declared = headers.get('content-length');
    if (declared !== undefined && /^\d{1,15}$/.test(declared)) return Number(declared) > this.#minimum;
    if (first === null) return false;
    // A character is at least one byte in UTF-8.
    return first.length > this.#minimum || (typeof first === 'string' && Buffer.byteLength(first) > this.#minimum);
  }
}

/** Reports whether the response is an event stream. Its length is unknown, because events arrive one by one. */
function isEventStream(headers: HeaderMap): boolean {
  const type = headers.get('content-type');
  if (type === undefined || type.length < eventStream.length) return false;
  const end = type.indexOf(';');
  return (end < 0 ? type : type.slice(0, end)).trim().toLowerCase() === eventStream;
}

/** Reports whether `Cache-Control: no-transform` is set (RFC 9111 §5.2.2.6). */
function isNotToBeTransformed(headers: HeaderMap): boolean {
  const field = headers.joined('cache-control');
  if (field === undefined) return false;
  return field.split(',').some((directive) => directive.trim().toLowerCase() === 'no-transform');
}

/** Adds `Vary: Accept-Encoding`, which caches need. */
export function addVary(headers: HeaderMap): void {
  for (const value of headers.all('vary'))
    if (value.split(',').some((name) => name.trim().toLowerCase() === 'accept-encoding')) return;
  headers.append('vary', 'Accept-Encoding');
}
