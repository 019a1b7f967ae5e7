/** The middleware `errors`, which replaces error responses with pages from another service. */
import type { JsonObject } from '@sluice/base';
import { literal } from '../../common/text.ts';
import { list, required, type LabelOptions } from './labels.ts';

export interface ErrorPages {
  /** Name of the service that provides the error pages. */
  readonly service: string;
  /** Status codes from 100 to 999. */
  readonly statuses: readonly number[];
  /** Request target of the page, with placeholders. */
  readonly uri: string;
}

export function errorPages(options: LabelOptions): ErrorPages {
  const statuses = list(options, 'errors.status').flatMap((range) => {
    const [, first = '', last = first] = /^([1-9]\d\d)(?:-([1-9]\d\d))?$/.exec(range) ?? [];
    if (first === '' || last < first)
      throw options.error('errors.status', `must be status codes or ranges, not ${range}`);
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => Number(first) + i);
  });
  const uri = (options.text('errors.query') ?? '/')
    .split(/(\{status\}|\{url\})/)
    .map((part) => placeholders[part] ?? literal(part))
    .join('');
  return { service: required(options, 'errors.service'), statuses: [...new Set(statuses)], uri };
}

/** Removes the fields of the replaced response. */
const withoutFields: JsonObject = { handler: 'headers', response: { delete: ['*'] } };

const statusVariable = 'traefik_error_status';
const urlVariable = 'traefik_error_url';

const placeholders: Readonly<Record<string, string>> = {
  '{status}': `{http.vars.${statusVariable}}`,
  '{url}': `{http.vars.${urlVariable}}`,
};

/** Runs handlers, and replaces their error responses with pages. @param proxy Proxy for the service that provides the pages. */
export function withErrorPages(
  { statuses, uri }: ErrorPages,
  proxy: JsonObject,
  handlers: readonly JsonObject[],
): JsonObject {
  const page = {
    ...proxy,
    rewrite: { method: 'GET', uri },
    handle_response: [
      { routes: [{ handle: [{ handler: 'copy_response', status_code: `{http.vars.${statusVariable}}` }] }] },
    ],
  };
  const url = '{http.request.scheme}://{http.request.hostport}{http.request.uri}';
  const pageOf = (status: string): readonly JsonObject[] => [
    withoutFields,
    { handler: 'vars', [statusVariable]: status, [urlVariable]: url },
    page,
  ];
  const intercept = {
    handler: 'intercept',
    handle_response: [
      {
        match: { status_code: [...statuses] },
        routes: [{ handle: [...pageOf('{http.intercept.status_code}')] }],
      },
    ],
  };
  const failed = [{ vars: { '{http.error.status_code}': statuses.map(String) } }];
  const unchanged = { handler: 'error', error: '{http.error.message}', status_code: '{http.error.status_code}' };
  return {
    handler: 'subroute',
    routes: [{ handle: [intercept, ...handlers] }],
    errors: {
      routes: [
        { match: failed, handle: [...pageOf('{http.error.status_code}')], terminal: true },
        { handle: [unchanged] },
      ],
    },
  };
}
