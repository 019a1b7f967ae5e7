/** Evaluates conditional requests (RFC 9110 §13). */
import type { HeaderMap } from '@sluice/http1';
import { parseHttpDate } from './http-date.ts';

/** Entity tag and modification time of the representation that would be sent. */
export interface Validators {
  /** Entity tag in header format, such as `"x"` or `W/"x"`. */
  readonly etag: string;
  /** Modification time in milliseconds since the Unix epoch, truncated to seconds. NaN if unknown. */
  readonly modified: number;
}

/** Result of evaluating conditions: `proceed`, or the response status 304 or 412. */
export type Verdict = 'proceed' | 304 | 412;

/** Evaluates the conditions of a request in the order of RFC 9110 §13.2.2. `safe` is true for GET and HEAD. Empty headers are ignored. */
export function evaluate(headers: HeaderMap, validators: Validators, safe: boolean): Verdict {
  const match = headers.joined('if-match') ?? '';
  if (match !== '') {
    if (!matchesAny(match, validators.etag, sameStrongly)) return 412;
  } else if (changedSince(headers.get('if-unmodified-since'), validators.modified)) return 412;
  const noneMatch = headers.joined('if-none-match') ?? '';
  if (noneMatch !== '') {
    if (matchesAny(noneMatch, validators.etag, sameWeakly)) return safe ? 304 : 412;
  } else if (safe && unchangedSince(headers.get('if-modified-since'), validators.modified)) return 304;
  return 'proceed';
}

/**
 * Reports whether a Range header applies. The header applies if `If-Range` is absent or exactly matches the representation (RFC 9110
 * §13.1.5).
 */
export function rangeApplies(headers: HeaderMap, { etag, modified }: Validators): boolean {
  const condition = headers.get('if-range') ?? '';
  if (condition === '') return true;
  const tag = entityTagAt(condition, 0);
  if (tag !== '') return sameStrongly(tag, etag);
  return parseHttpDate(condition) === modified;
}

function changedSince(field: string | undefined, modified: number): boolean {
  return field !== undefined && field !== '' && modified > parseHttpDate(field);
}

function unchangedSince(field: string | undefined, modified: number): boolean {
  return field !== undefined && field !== '' && modified <= parseHttpDate(field);
}

type Comparison = (a: string, b: string) => boolean;

/** Compares two entity tags with strong comparison (RFC 9110 §8.8.3.2). */
function sameStrongly(a: string, b: string): boolean {
  return a === b && a.startsWith('"');
}

function sameWeakly(a: string, b: string): boolean {
  return withoutWeakness(a) === withoutWeakness(b);
}

function withoutWeakness(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

/** Reports whether a list of entity tags contains a matching tag or `*`. Parsing stops at invalid input. */
function matchesAny(list: string, etag: string, same: Comparison): boolean {
  let at = 0;
  while (at < list.length) {
    const character = list.charAt(at);
    if (character === ' ' || character === '\t' || character === ',') at++;
    else if (character === '*') return true;
    else {
      const tag = entityTagAt(list, at);
      if (tag === '') return false;
      if (same(tag, etag)) return true;
      at += tag.length;
    }
  }
  return false;
}

/** Returns the entity tag at a position, including quotes and `W/`. Returns an empty string if there is none. */
function entityTagAt(text: string, start: number): string {
  const quote = text.startsWith('W/', start) ? start + 2 : start;
  if (text.charAt(quote) !== '"') return '';
  for (let i = quote + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) return text.slice(start, i + 1);
    if (code <= 0x20 || code === 0x7f) return '';
  }
  return '';
}
