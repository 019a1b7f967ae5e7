/** Entity tags of encoded responses: each coding has its own (RFC 9110 §8.8.3.3). */
import type { HeaderMap } from '@sluice/http1';

/** Gives the strong entity tag of a response the suffix of a coding: `"abc"` -> `"abc-gzip"`. A weak one fits all codings. */
export function addSuffix(headers: HeaderMap, coding: string): void {
  const etag = headers.get('etag') ?? '';
  if (etag === '' || etag.startsWith('W/')) return;
  headers.set('etag', `${etag.endsWith('"') ? etag.slice(0, -1) : etag}-${coding}"`);
}

/** An If-None-Match field as the handlers that made the entity tags would have it. */
export function withoutSuffix(field: string, coding: string): string {
  return field.replaceAll(`-${coding}"`, '"');
}
