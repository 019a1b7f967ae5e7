/** `host NAME…` */
import { wordList } from '../common/matcher.ts';

export const host = wordList('host', '<name>…', {
  help: 'Matches by request host. `*` matches exactly one label.',
  example: '@sub host *.example.com\nrespond @sub hi',
});
