/** `path PATH…` */
import { wordList } from '../common/matcher.ts';

export const path = wordList('path', '<path>…', {
  help: 'Matches requests by path, case-insensitively. `*` matches any string at the end (prefix match), at the beginning (suffix match) or elsewhere in the path.',
  example: '@api path /api/* /v2/*\nrespond @api "the API"',
});
