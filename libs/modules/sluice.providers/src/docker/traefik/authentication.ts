/** The middlewares `basicauth` and `forwardauth`. */
import type { JsonObject } from '@sluice/base';
import { literal } from '../../common/text.ts';
import { list, required, type LabelOptions } from './labels.ts';

/** Formats of passwords that `http.authentication.hashes.htpasswd` verifies. */
const hashes = /^(?:\$2[abxy]?\$|\$apr1\$|\$1\$|\{SHA\}|\{SSHA\})/;

export function basicAuthentication(options: LabelOptions): readonly JsonObject[] {
  const accounts = list(options, 'basicauth.users').map((user) => {
    const [username = '', hash = ''] = user.split(/:(.*)/s);
    if (!hashes.test(hash))
      throw options.error('basicauth.users', `the password of ${username} has an unsupported hash`);
    // Encode the hash, because a hash that begins with a brace would be expanded as a placeholder.
    return { username: literal(username), password: Buffer.from(hash).toString('base64') };
  });
  const realm = options.text('basicauth.realm') ?? 'traefik';
  const field = options.text('basicauth.headerfield');
  const request: JsonObject = {
    ...(field === undefined ? {} : { set: { [field]: ['{http.auth.user.id}'] } }),
    ...(options.boolean('basicauth.removeheader') === true ? { delete: ['Authorization'] } : {}),
  };
  const provider = {
    accounts,
    hash: { algorithm: 'htpasswd' },
    hash_cache: {},
    realm: literal(realm.replaceAll(/["\\]/g, '')),
  };
  return [
    { handler: 'authentication', providers: { http_basic: provider } },
    ...(Object.keys(request).length === 0 ? [] : [{ handler: 'headers', request }]),
  ];
}

export function forwardAuthentication(options: LabelOptions): readonly JsonObject[] {
  const address = required(options, 'forwardauth.address');
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw options.error('forwardauth.address', `must be a URL, not ${address}`);
  const isTls = url.protocol === 'https:';
  const names = options.list('forwardauth.authresponseheaders');
  return [
    // Clients must not send the fields that the service sets.
    ...(names.length === 0 ? [] : [{ handler: 'headers', request: { delete: [...names] } }]),
    {
      handler: 'reverse_proxy',
      upstreams: [{ dial: `${url.hostname}:${url.port || (isTls ? '443' : '80')}` }],
      ...(isTls ? { transport: { protocol: 'http', tls: {} } } : {}),
      rewrite: { method: 'GET', uri: literal(url.pathname + url.search) },
      headers: {
        request: {
          set: {
            Host: [literal(url.host)],
            'X-Forwarded-Method': ['{http.request.method}'],
            'X-Forwarded-Uri': ['{http.request.uri}'],
          },
        },
      },
      handle_response: [
        {
          match: { status_code: [2] },
          routes: [
            { handle: [{ handler: 'vars' }] },
            ...names.map((name) => {
              const value = `{http.reverse_proxy.header.${name}}`;
              return {
                match: [{ not: [{ vars: { [value]: [''] } }] }],
                handle: [{ handler: 'headers', request: { set: { [name]: [value] } } }],
              };
            }),
          ],
        },
      ],
    },
  ];
}
