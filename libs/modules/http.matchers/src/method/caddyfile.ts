/** `method NAME…` */
import { wordList } from '../common/words.ts';

export const method = wordList('method', {
  shown: ['<method>…'],
  example: '@write method POST PUT PATCH DELETE\nrespond @write 405',
});
