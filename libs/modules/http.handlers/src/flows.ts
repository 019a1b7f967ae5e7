/** Declares how the handlers of this package affect requests, for static checks of routes. A declaration must be correct for all requests. */
import { isArray, isObject, own, type Json, type JsonObject } from '@sluice/base';
import type { Aspect, FlowOf, HandlerFlow } from '@sluice/http-app';

/** Declares a handler that always responds or raises an error. Later handlers do not receive the request. */
function ends(raises: readonly number[] | null = []): FlowOf {
  return () => ({ passes: 'never', changes: [], raises });
}

/** Declares a handler that passes on every request that it does not reject. */
function passes(changes: readonly Aspect[] = [], raises: readonly number[] = []): FlowOf {
  return () => ({ passes: 'maybe', changes, raises, responds: false });
}

const raisedByFiles = [400, 403, 404, 405, 416, 500];
const raisedByProxies = [400, 408, 411, 413, 500, 502, 503, 504];

export const handlers: Readonly<Record<string, FlowOf>> = {
  acme_server: () => ({ passes: 'maybe', changes: [], raises: null }),
  authentication: passes(['vars'], [401, 500]),
  // The cache either responds or passes on the request. A request that is passed on gets conditional headers for the stored response.
  cache: () => ({ passes: 'maybe', changes: ['header'], raises: [502, 504] }),
  concurrency_limit: (options) => {
    const status = own(options, 'status_code');
    return { passes: 'maybe', changes: [], raises: [typeof status === 'number' ? status : 503], responds: false };
  },
  copy_response: () => ({ passes: 'maybe', changes: [], raises: null }),
  copy_response_headers: passes(),
  encode: passes(['header']),
  error: (options) => ({ passes: 'never', changes: [], raises: raisedBy(options), responds: false }),
  file_server: (options) =>
    own(options, 'pass_thru') === true
      ? { passes: 'maybe', changes: [], raises: raisedByFiles }
      : { passes: 'never', changes: [], raises: raisedByFiles },
  headers: passesHeaders,
  // The `intercept` handler can run later handlers again.
  intercept: () => ({ passes: 'maybe', changes: null, lists: responseRoutes, raises: null, responds: false }),
  invoke: () => ({ passes: 'maybe', changes: null, raises: [500] }),
  log_append: passes(),
  map: passes(['vars']),
  metrics: ends(),
  mirror: passes(),
  push: passes(),
  rate_limit: passes([], [429]),
  replace_response: passes(['header']),
  request_body: passes(['body', 'header'], [400, 413, 500]),
  reverse_proxy: passesProxy,
  rewrite: passes(['method', 'path', 'query']),
  static_response: (options) => ({ passes: isEarlyHint(options) ? 'maybe' : 'never', changes: [], raises: [] }),
  subroute: passesSubroute,
  // A template can raise any error.
  templates: () => ({ passes: 'maybe', changes: [], raises: null, responds: false }),
  timeouts: passes(),
  tracing: passes(['header', 'vars']),
  vars: passes(['vars', 'remote']),
  webdav: ends(null),
  // A firewall rule can raise any status, or redirect.
  waf: () => ({ passes: 'maybe', changes: ['body'], raises: null }),
};

const responseRoutes = Array.from({ length: 32 }, (_, index) => ({
  at: ['handle_response', String(index), 'routes'],
  entry: 'later' as const,
}));

function passesHeaders(options: JsonObject): HandlerFlow {
  const request = own(options, 'request');
  const changes: Aspect[] = !isObject(request) ? [] : changesHost(request) ? ['header', 'host'] : ['header'];
  return { passes: 'maybe', changes, raises: [], responds: false };
}

/** Reports whether header operations may change the Host header. */
function changesHost(operations: JsonObject): boolean {
  const names = Object.values(operations).flatMap((each) =>
    isObject(each) ? Object.keys(each) : isArray(each) ? each.map(String) : [],
  );
  return names.some((name) => name.toLowerCase() === 'host' || /[{*]/.test(name));
}

function passesProxy(options: JsonObject): HandlerFlow {
  const handled = own(options, 'handle_response');
  const count = isArray(handled) ? handled.length : 0;
  return {
    passes: count === 0 ? 'never' : 'maybe',
    changes: count === 0 ? [] : ['header', 'vars'],
    lists: responseRoutes.slice(0, count),
    raises: count === 0 ? raisedByProxies : null,
  };
}

/** Declares the effect of a subroute. If its error routes don't respond, the request continues in the outer route. */
function passesSubroute(options: JsonObject): HandlerFlow {
  const routes = { at: ['routes'], entry: 'request' } as const;
  const errors = own(options, 'errors');
  if (errors === undefined || errors === null)
    return { passes: 'through', changes: [], lists: [routes], raises: [], responds: false };
  const lists = [routes, { at: ['errors', 'routes'], entry: 'later' } as const];
  return { passes: 'maybe', changes: null, lists, raises: [], responds: false };
}

function raisedBy(options: JsonObject): readonly number[] | null {
  const status = own(options, 'status_code');
  if (status === undefined || status === null || status === '') return [500];
  return /^\d{3}$/.test(textOf(status)) ? [Number(textOf(status))] : null;
}

/** Reports whether the response has status 103. Another response follows it. */
function isEarlyHint(options: JsonObject): boolean {
  const status = textOf(own(options, 'status_code'));
  return status.includes('{') || Number(status) === 103;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
