/** Actions of filters that look into a field, as lines. */
import { isArray, isObject } from '@sluice/base';
import { words, type WriteModule } from '@sluice/caddyfile';

/** `NAME { replace NAME VALUE; hash NAME; delete NAME }` */
export const writeActions: WriteModule = (options) => {
  const actions = isObject(options) && isArray(options['actions']) ? options['actions'] : [];
  const block = actions.filter(isObject).map(({ type, parameter, name, value }) => ({
    words: [...words(type), ...words(parameter ?? name), ...words(value)],
  }));
  return [{ block }];
};
