/**
 * Translates the script directives `set`, `rewrite`, `return`, `if` and `break`. nginx runs them in source order, before it selects a
 * location.
 */
import { own } from '@sluice/base';
import { passing, setVariables, subroute, terminal, type Node } from '../json.ts';
import { Scope } from '../scope.ts';
import { argument, type Directive } from '../syntax/directive.ts';
import { expandText } from '../text/expand.ts';
import { variableKey } from '../text/variables.ts';
import { translateCondition } from './condition.ts';
import { returnRoute } from './return.ts';
import { rewriteRoutes } from './rewrite.ts';
import type { ScriptPlace } from './place.ts';

type Translate = (place: ScriptPlace, directive: Directive) => readonly Node[];

const translators: Readonly<Record<string, Translate>> = {
  set: setRoutes,
  rewrite: rewriteRoutes,
  return: ({ site, scope }, directive) => [returnRoute(site, scope, directive)],
  break: ({ leave }) => [terminal(leave())],
  if: ifRoutes,
};

/** Reports whether a script always ends with `return`. If so, requests reach the handlers after the script only if the script exits early. */
export function alwaysReturns(scope: Scope): boolean {
  return scope.own('return').length > 0;
}

/** Translates the script of a block. Returns an empty list if there is no script. */
export function scriptRoutes(place: ScriptPlace): Node[] {
  return place.scope.directives.flatMap((directive) => own(translators, directive.name)?.(place, directive) ?? []);
}

function setRoutes({ site, scope }: ScriptPlace, directive: Directive): Node[] {
  const name = argument(directive, 0, 'a variable').replace(/^\$/, '');
  const value = expandText(argument(directive, 1, 'a value'), { site, scope, at: directive, held: true });
  return [passing([setVariables({ [variableKey(name)]: value })])];
}

function ifRoutes(place: ScriptPlace, directive: Directive): Node[] {
  const { site, scope } = place;
  const { match, captures } = translateCondition(site, scope, directive);
  const inner = new Scope('if', directive.block ?? [], scope);
  if (captures !== null) {
    inner.captures = captures;
    scope.captures = captures;
  }
  const routes = scriptRoutes({ ...place, scope: inner });
  // nginx ignores `try_files` for requests that matched an `if`.
  const leaves = inner.own('return').length === 0 && scope.place.own('try_files').length > 0;
  if (leaves || inner.directives.some(({ name }) => !Object.hasOwn(translators, name)))
    routes.unshift(passing([setVariables({ [place.branch(inner)]: '1' })]));
  return routes.length === 0 ? [] : [passing([subroute(routes)], [match])];
}
