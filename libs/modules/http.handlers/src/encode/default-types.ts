/** Content types that are compressed unless the `match` option overrides them. */
import type { HeaderMap } from '@sluice/http1';

/** Prefixes of content types, the same as in Caddy. */
const prefixes = [
  'text/',
  'application/atom+xml',
  'application/eot',
  'application/font',
  'application/geo+json',
  'application/graphql+json',
  'application/javascript',
  'application/json',
  'application/ld+json',
  'application/manifest+json',
  'application/opentype',
  'application/otf',
  'application/rss+xml',
  'application/truetype',
  'application/ttf',
  'application/vnd.api+json',
  'application/vnd.ms-fontobject',
  'application/wasm',
  'application/x-httpd-cgi',
  'application/x-javascript',
  'application/x-opentype',
  'application/x-otf',
  'application/x-perl',
  'application/x-protobuf',
  'application/x-ttf',
  'application/xhtml+xml',
  'application/xml',
  'font/otf',
  'font/ttf',
  'image/svg+xml',
  'image/vnd.microsoft.icon',
  'image/x-icon',
  'multipart/bag',
  'multipart/mixed',
];

const known = new Map<string, boolean>();
const maxKnown = 256;

/** Reports whether the content type of a response is compressed by default. The comparison is case-sensitive, as in Caddy. */
export function isEncodedByDefault(headers: HeaderMap): boolean {
  const type = headers.get('content-type');
  if (type === undefined) return false;
  let encoded = known.get(type);
  if (encoded === undefined) {
    encoded = prefixes.some((prefix) => type.startsWith(prefix));
    if (known.size >= maxKnown) known.clear();
    known.set(type, encoded);
  }
  return encoded;
}
