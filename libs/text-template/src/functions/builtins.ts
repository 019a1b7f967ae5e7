/** Built-in functions of the template language. */
import { sprint, sprintln } from '../fmt/sprint.ts';
import { sprintf } from '../fmt/sprintf.ts';
import { isTrue } from '../values/truth.ts';
import { accessors } from './access.ts';
import { comparisons } from './compare.ts';
import { declare, declareRest, type TemplateFunction } from './declare.ts';
import { escapes } from './escape.ts';
import { any, text } from './parameters.ts';

/** Declares `and` and `or`. The compiler evaluates their arguments lazily, so these functions are never called. */
function shortCircuit(stopsAt: boolean): TemplateFunction {
  return { ...declareRest([any], any, (...values) => values.find((value) => isTrue(value) === stopsAt)), stopsAt };
}

export const builtins: Readonly<Record<string, TemplateFunction>> = {
  and: shortCircuit(false),
  or: shortCircuit(true),
  not: declare([any], (value) => !isTrue(value)),
  print: declareRest([], any, (...values) => sprint(values)),
  println: declareRest([], any, (...values) => sprintln(values)),
  printf: declareRest([text], any, (format, ...values) => sprintf(format, values)),
  ...comparisons,
  ...escapes,
  ...accessors,
};
