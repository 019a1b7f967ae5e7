/** Template functions for default values, emptiness checks and conditionals. */
import { declare, declareRest, type TemplateFunction } from '../functions/declare.ts';
import { any, bool, text } from '../functions/parameters.ts';
import { isTrue } from '../values/truth.ts';

export const defaults: Readonly<Record<string, TemplateFunction>> = {
  all: declareRest([], any, (...values) => values.every(isTrue)),
  any: declareRest([], any, (...values) => values.some(isTrue)),
  coalesce: declareRest([], any, (...values) => values.find(isTrue)),
  default: declareRest([any], any, (fallback, given) => (isTrue(given) ? given : fallback)),
  empty: declare([any], (value) => !isTrue(value)),
  fail: declare([text], (message) => {
    throw new Error(message);
  }),
  ternary: declare([any, any, bool], (yes, no, condition) => (condition ? yes : no)),
};
