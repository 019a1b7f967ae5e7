/** Cache tags (surrogate keys) of responses, which allow a group of responses to be purged. */
import type { HeaderMap } from '@sluice/http1';

/** Maximum number of cache tags per response. Further tags are ignored. */
const maxTags = 256;

/** Returns the cache tags in Surrogate-Key (separated by spaces), Cache-Tag and Cache-Groups (RFC 9875; separated by commas). */
export function tagsOf(headers: HeaderMap): string[] {
  const tags = new Set<string>();
  for (const line of headers.all('surrogate-key')) for (const tag of line.split(/[ ,]+/)) tags.add(tag);
  for (const line of headers.all('cache-tag')) for (const tag of line.split(',')) tags.add(tag.trim());
  for (const line of headers.all('cache-groups')) for (const tag of line.split(',')) tags.add(unquoted(tag.trim()));
  tags.delete('');
  return [...tags].slice(0, maxTags);
}

function unquoted(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}
