/** Fields that are added as `append`. */
import { isObject } from '@sluice/base';
import { quoteWord, scalarWord, type Line, type WriteModule } from '@sluice/caddyfile';
import { wrappedLines } from '../common/write-encoder.ts';

/** `append { wrap ENCODER …; fields { KEY VALUE } }` */
export const writeAppend: WriteModule = async (options, writer) => {
  const { wrap, fields } = isObject(options) ? options : {};
  const lines = Object.entries(isObject(fields) ? fields : {}).map(([key, value]): Line => ({
    words: [quoteWord(key), scalarWord(value)],
    raw: true,
  }));
  const block = await wrappedLines('wrap', wrap, writer);
  return [{ block: lines.length === 0 ? block : [...block, { words: ['fields'], block: lines }] }];
};
