/** `method NAME…` */
import { wordList } from '../common/matcher.ts';

export const method = wordList('method', '<method>…', {
  example: '@write method POST PUT PATCH DELETE\nrespond @write 405',
});
