/** Fields of a request as lines `header`. */
import { isObject } from '@sluice/base';
import { words, type WriteModule } from '@sluice/caddyfile';

/** `header FIELD VALUE`, `header !FIELD` */
export const writeHeader: WriteModule = (options) => {
  if (!isObject(options)) return null;
  return Object.entries(options).flatMap(([field, values]) =>
    values === null ? [{ words: [`!${field}`] }] : words(values).map((value) => ({ words: [field, value] })),
  );
};
