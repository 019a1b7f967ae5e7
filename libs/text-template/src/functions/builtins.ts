/** The functions that the language itself has. */
import { sprint, sprintln } from '../fmt/sprint.ts';
import { sprintf } from '../fmt/sprintf.ts';
import { isTrue } from '../values/truth.ts';
import { accessors } from './access.ts';
import { comparisons } from './compare.ts';
import { declare, declareRest, type TemplateFunction } from './declare.ts';
import { escapes } from './escape.ts';
import { any, text } from './parameters.ts';

/** `and` and `or`: the compiler evaluates their arguments one by one, so they never run as functions. */
function shortCircuit(stopsAt: boolean): TemplateFunction {
  return { ...declareRest([any], any, (...values) => values.find((value) => isTrue(value) === stopsAt)), stopsAt };
}

/** The functions by name. */
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
