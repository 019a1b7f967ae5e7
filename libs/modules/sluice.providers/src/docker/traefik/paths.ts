/** Middlewares that change the path. */
import type { JsonObject } from '@sluice/base';
import { literal, quoteRegExp } from '../../common/text.ts';
import { list, required, type LabelOptions } from './labels.ts';

export function addPrefix(options: LabelOptions): readonly JsonObject[] {
  const prefix = required(options, 'addprefix.prefix').replace(/^\/*/, '/');
  // A rewrite of the whole URI would decode the path.
  return [{ handler: 'rewrite', path_regexp: [{ find: '^', replace: literal(prefix) }] }];
}

export function stripPrefix(options: LabelOptions): readonly JsonObject[] {
  return stripping(list(options, 'stripprefix.prefixes').map(quoteRegExp));
}

export function stripPrefixRegexp(options: LabelOptions): readonly JsonObject[] {
  return stripping(list(options, 'stripprefixregex.regex').map((each) => each.replace(/^\^/, '')));
}

export function replacePath(options: LabelOptions): readonly JsonObject[] {
  // Escape question marks, because they belong to the path.
  const path = required(options, 'replacepath.path').replaceAll('?', '%3F');
  return replacing([], { handler: 'rewrite', uri: literal(path) });
}

export function replacePathRegexp(options: LabelOptions): readonly JsonObject[] {
  const find = required(options, 'replacepathregex.regex');
  const replace = literal(options.text('replacepathregex.replacement') ?? '');
  const matches = { vars_regexp: { [`{http.regexp.${capture}.0}`]: { pattern: find } } };
  return replacing([matches], { handler: 'rewrite', path_regexp: [{ find, replace }] });
}

const capture = 'traefik_path';

/** Runs a rewrite, and passes the original path to the upstream. */
function replacing(match: readonly JsonObject[], rewrite: JsonObject): readonly JsonObject[] {
  const original = { handler: 'headers', request: { set: { 'X-Replaced-Path': [`{http.regexp.${capture}.0}`] } } };
  return [
    {
      handler: 'subroute',
      routes: [
        {
          match: [{ vars_regexp: { '{http.request.uri}': { name: capture, pattern: '^[^?]*' } } }],
          handle: [
            {
              handler: 'subroute',
              routes: [{ ...(match.length === 0 ? {} : { match: [...match] }), handle: [original, rewrite] }],
            },
          ],
        },
      ],
    },
  ];
}

function stripping(patterns: readonly string[]): readonly JsonObject[] {
  const pattern = patterns.join('|');
  const forwarded = { set: { 'X-Forwarded-Prefix': ['{http.regexp.traefik_prefix.prefix}'] } };
  return [
    {
      handler: 'subroute',
      routes: [
        {
          match: [{ path_regexp: { name: 'traefik_prefix', pattern: `^(?P<prefix>${pattern})` } }],
          handle: [
            { handler: 'headers', request: forwarded },
            { handler: 'rewrite', path_regexp: [{ find: `^(?:${pattern})/*`, replace: '/' }] },
          ],
        },
      ],
    },
  ];
}
