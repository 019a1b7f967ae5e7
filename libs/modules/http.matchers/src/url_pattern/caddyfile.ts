/** Caddyfile syntax: `url_pattern PATTERN { base_url URL; ignore_case }` */
import { flag, text } from '@sluice/caddyfile';
import { matcher, only } from '../common/matcher.ts';

export const urlPattern = matcher('url_pattern', {
  line: only('<pattern>', 'URL pattern', 'pattern'),
  block: { base_url: text('<url>'), ignore_case: flag() },
  unknown: 'unrecognized subdirective: %',
  help: 'Matches requests whose path matches a URL pattern, such as `/books/:id`.',
  example: '@book url_pattern /books/:id\nrespond @book hi',
});
