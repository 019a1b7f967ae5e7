/** `host NAME…` */
import { wordList } from '../common/words.ts';

export const host = wordList('host', {
  shown: ['<name>…'],
  help: 'Matches by host of the request. `*` matches one label.',
  example: '@sub host *.example.com\nrespond @sub hi',
});
