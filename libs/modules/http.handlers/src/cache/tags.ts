/** Surrogate keys of a response: names for purging groups of responses. */
import type { HeaderMap } from '@sluice/http1';

/** Maximum number of tags per response; more are ignored. */
const maxTags = 256;

/** Returns the tags in Surrogate-Key (separated by spaces), Cache-Tag and Cache-Groups (RFC 9875; separated by commas). */
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
