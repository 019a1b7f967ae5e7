/** Entity tags of encoded responses. Each content coding has a separate tag (RFC 9110 §8.8.3.3). */
import type { HeaderMap } from '@sluice/http1';

/** Appends a suffix for the content coding to a strong entity tag: `"abc"` -> `"abc-gzip"`. A weak tag is valid for all content codings. */
export function addSuffix(headers: HeaderMap, coding: string): void {
  const etag = headers.get('etag') ?? '';
  if (etag === '' || etag.startsWith('W/')) return;
  headers.set('etag', `${etag.endsWith('"') ? etag.slice(0, -1) : etag}-${coding}"`);
}

/** Removes the suffix from the tags in an If-None-Match header, so that the handlers that created the tags recognize them. */
export function withoutSuffix(field: string, coding: string): string {
  return field.replaceAll(`-${coding}"`, '"');
}
