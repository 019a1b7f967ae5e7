/** The annotation `auth-type: basic`, which reads users from a Secret. */
import type { JsonObject } from '@sluice/base';
import { literal } from '../../../common/text.ts';
import { secretOf, type IngressScope } from '../scope.ts';

/** Password hash formats that `http.authentication.hashes.htpasswd` can verify. */
const supported = /^(?:\$2[abxy]?\$|\$apr1\$|\$1\$|\{SHA\}|\{SSHA\})/;

export function basicAuthentication(scope: IngressScope): readonly JsonObject[] {
  const { annotations } = scope;
  const type = annotations.text('auth-type');
  if (type === undefined) return [];
  if (type !== 'basic') annotations.refuse('auth-type', `${JSON.stringify(type)} is not supported; use basic`);
  const { data = {} } = secretOf('auth-secret', scope);
  const isMap = annotations.word('auth-secret-type', ['auth-file', 'auth-map']) === 'auth-map';
  if (!isMap && data['auth'] === undefined)
    annotations.refuse('auth-secret', 'the Secret does not contain the key `auth`');
  const lines = isMap
    ? Object.entries(data).map(([name, value]) => [name, decoded(value).trim()] as const)
    : decoded(data['auth'] ?? '')
        .split(/\r?\n/)
        .filter((line) => line.includes(':') && !line.startsWith('#'))
        .map(
          (line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).split(':')[0] ?? ''] as const,
        );
  const accounts = new Map<string, string>();
  for (const [name, hash] of lines)
    if (!supported.test(hash))
      annotations.warn(
        'auth-secret',
        `the password of ${JSON.stringify(name)} has an unsupported hash; this user cannot log in`,
      );
    else if (name !== '' && !accounts.has(name)) accounts.set(name, hash);
  // Encode the hashes, because a hash that begins with a brace would be expanded as a placeholder.
  const list = [...accounts].map(([username, hash]) => ({
    username: literal(username),
    password: Buffer.from(hash).toString('base64'),
  }));
  const realm = annotations.text('auth-realm');
  const provider = {
    accounts: list,
    hash: { algorithm: 'htpasswd' },
    hash_cache: {},
    ...(realm === undefined ? {} : { realm: literal(realm.replaceAll(/["\\]/g, '')) }),
  };
  return [{ handler: 'authentication', providers: { http_basic: provider } }];
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString();
}
