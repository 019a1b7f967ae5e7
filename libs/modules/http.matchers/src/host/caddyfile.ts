/** `host NAME…` */
import { wordList } from '../common/matcher.ts';

export const host = wordList('host', '<name>…', {
  help: 'Matches requests by host. `*` matches exactly one label of the host name.',
  example: '@sub host *.example.com\nrespond @sub hi',
});
