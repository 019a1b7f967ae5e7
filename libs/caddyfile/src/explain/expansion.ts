/** Describes how directives such as `php_fastcgi` and `forward_auth` expand to several handlers. */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import { isSequence, type ConfigValue, type RouteConfig, type RouteSequence } from '../http/config-value.ts';

/** Maximum length of a matcher or handler that is shown in full, in characters. */
const maxWidth = 70;

/** Heading for an expansion. Routes inside one directive are not sorted; they keep their source order. */
const becomes = 'expands to the following, in this fixed order:';

/** Returns the indented lines that show an expansion. Returns no lines if the directive is a single handler without routes. */
export function expansionOf({ value }: ConfigValue, indent: string): string[] {
  const made = value as RouteConfig | RouteSequence;
  const routes = isSequence(made) ? made.routes : [made];
  const handlers = routes.flatMap(({ handle }) => handle ?? []);
  const within = handlers.flatMap((handler) => routesWithin(handler, indent));
  if (routes.length === 1 && handlers.length < 2) return within;
  return [`${indent}${becomes}`, ...listOf(routes, indent)];
}

function listOf(routes: readonly RouteConfig[], indent: string): string[] {
  return routes.flatMap(({ match = [], handle = [] }, at) => [
    `${indent}${at + 1}. ${conditionOf(match)}${handle.map(nameOf).join(', ') || 'nothing'}`,
    ...handle.flatMap((handler) => routesWithin(handler, `${indent}   `)),
  ]);
}

/** Returns lines for the routes inside a handler, including routes that handle responses. */
function routesWithin(handler: Json, indent: string): string[] {
  if (!isObject(handler)) return [];
  const own = routesOf(handler);
  const lines = own.length === 0 ? [] : [`${indent}${becomes}`, ...listOf(own, indent)];
  const { handle_response: responses } = handler;
  for (const response of isArray(responses) ? responses.filter(isObject) : []) {
    const { match } = response;
    const condition = isObject(match) ? conditionOf([match]) : 'of any kind: ';
    lines.push(`${indent}after a response ${condition}the following, in this fixed order:`);
    lines.push(...listOf(routesOf(response), indent));
  }
  return lines;
}

function routesOf({ routes }: JsonObject): readonly RouteConfig[] {
  return isArray(routes) ? (routes.filter(isObject) as readonly RouteConfig[]) : [];
}

function conditionOf(match: readonly JsonObject[]): string {
  if (match.length === 0) return '';
  const sets = match.map((set) => Object.entries(set).map(([name, value]) => `${name} ${textOf(value)}`));
  return `where ${sets.map((set) => set.join(' and ')).join(', or ')}: `;
}

/** Returns the name and options of a handler. */
function nameOf(handler: Json): string {
  if (!isObject(handler)) return '';
  const { handler: name, handle_response: _responses, routes: _routes, ...options } = handler;
  return Object.keys(options).length === 0 ? String(name) : `${String(name)} ${textOf(options)}`;
}

function textOf(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > maxWidth ? `${text.slice(0, maxWidth - 1)}…` : text;
}
