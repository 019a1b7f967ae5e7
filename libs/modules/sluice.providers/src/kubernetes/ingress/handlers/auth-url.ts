/** The `auth-url` annotation: an authorization service accepts or rejects each request. */
import type { JsonObject } from '@sluice/base';
import { literal } from '../../../common/text.ts';
import { configMapOf, isFieldName, type IngressScope } from '../scope.ts';
import { expanded, redirect } from './redirects.ts';
import { fieldsInSnippet } from './snippets.ts';
import { urlTargetOf } from './url-target.ts';

export function authorization(scope: IngressScope): readonly JsonObject[] {
  const { annotations } = scope;
  const text = annotations.text('auth-url');
  if (text === undefined) return [];
  const service = urlTargetOf(text);
  if (service === null) return annotations.refuse('auth-url', 'expected a URL whose host contains no variables');
  const { authority, uri, upstream } = service;
  const path = uri.startsWith('/') ? uri : `/${uri}`;
  const names = annotations.list('auth-response-headers').filter((each) => /^[\w-]+$/.test(each));
  return [
    // Delete these fields from the request, because clients must not set fields that the authorization service sets.
    ...(names.length === 0 ? [] : [{ handler: 'headers', request: { delete: names } }]),
    {
      handler: 'reverse_proxy',
      ...upstream,
      rewrite: {
        method: annotations.token('auth-method')?.toUpperCase() ?? 'GET',
        uri: expanded('auth-url', path, annotations),
      },
      headers: {
        request: {
          set: { Host: [literal(authority)], ...fieldsOf(scope) },
          delete: ['Content-Length', 'Content-Type'],
        },
      },
      handle_response: [
        { match: { status_code: [2] }, routes: names.map(copying) },
        { match: { status_code: [401] }, routes: [...signIn(scope), challenge, failing(401)] },
        { match: { status_code: [403] }, routes: [failing(403)] },
        { routes: [failing(500)] },
      ],
    },
  ];
}

const originalUrl = '{http.request.scheme}://{http.request.hostport}{http.request.orig_uri}';

function fieldsOf(scope: IngressScope): Record<string, readonly string[]> {
  const { annotations } = scope;
  const wanted = annotations.text('auth-request-redirect');
  const fields: Record<string, readonly string[]> = {
    'X-Original-Url': [originalUrl],
    'X-Original-Method': ['{http.request.orig_method}'],
    'X-Auth-Request-Redirect': [
      wanted === undefined ? '{http.request.orig_uri}' : expanded('auth-request-redirect', wanted, annotations),
    ],
    'X-Sent-From': ['sluice'],
  };
  for (const [name, value] of Object.entries(configMapOf('auth-proxy-set-headers', scope)?.data ?? {}))
    if (isFieldName('auth-proxy-set-headers', name, scope))
      fields[name] = [expanded('auth-proxy-set-headers', value, annotations)];
  return { ...fields, ...fieldsInSnippet('auth-snippet', scope) };
}

function copying(name: string): JsonObject {
  const value = `{http.reverse_proxy.header.${name}}`;
  return {
    match: [{ not: [{ vars: { [value]: [''] } }] }],
    handle: [{ handler: 'headers', request: { set: { [name]: [value] } } }],
  };
}

const challengeText = '{http.reverse_proxy.header.WWW-Authenticate}';

const challenge: JsonObject = {
  match: [{ not: [{ vars: { [challengeText]: [''] } }] }],
  handle: [{ handler: 'headers', response: { set: { 'WWW-Authenticate': [challengeText] } } }],
};

function failing(status: number): JsonObject {
  return { handle: [{ handler: 'error', status_code: status }], terminal: true };
}

/** Returns a redirect to the sign-in page. A parameter contains the original URL, unless the URL of the page already contains it. */
function signIn({ annotations }: IngressScope): readonly JsonObject[] {
  const page = annotations.text('auth-signin');
  if (page === undefined) return [];
  const parameter = annotations.text('auth-signin-redirect-param') ?? 'rd';
  const target = expanded('auth-signin', page, annotations);
  const hasParameter = new URLSearchParams(page.split('?')[1] ?? '').has(parameter);
  const original = '{http.request.scheme}://{http.request.hostport}{http.request.uri_escaped}';
  const added = hasParameter
    ? ''
    : `${page.includes('?') ? '&' : '?'}${literal(encodeURIComponent(parameter))}=${original}`;
  return [{ handle: [redirect(302, target + added)], terminal: true }];
}
