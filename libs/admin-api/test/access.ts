/** A configuration with parts inside and outside a scope, and tokens for testing the scope. */
import { createToken, type TokenOptions } from '@sluice/admin-api';
import type { Json } from '@sluice/base';
import type { Sent } from './admin.ts';

/** Text that a client with a scoped token must never receive. */
export const secret = 'TOP-SECRET';

/** An app configuration. The scope of the scoped tokens contains only `inside` and the object `mine`. */
export const app: Json = {
  inside: { text: 'mine', list: [1, [2], { deep: { key: 'value' } }] },
  insider: secret,
  objects: [
    { '@id': 'theirs', value: secret },
    { '@id': 'mine', value: 'mine' },
    { '@id': 'last', value: secret },
  ],
  steps: [{ secret }, { text: 'second' }, { secret }],
  outside: { '@id': 'outside', secret, inside: { text: secret } },
};

/** Permissions of the scoped token. */
export const scope = { paths: ['/config/apps/any/inside'], ids: ['mine'] };

/** Creates tokens from names and options, and a configuration document that contains them. */
export function withTokens(entries: Readonly<Record<string, Omit<TokenOptions, 'name' | 'hash'>>>): {
  readonly document: Json;
  readonly as: (name: string, sent?: Sent) => Sent;
} {
  const secrets = new Map<string, string>();
  const tokens = Object.entries(entries).map(([name, entry]) => {
    const { token, hash } = createToken();
    secrets.set(name, token);
    return { name, hash, ...entry };
  });
  return {
    document: { admin: { tokens: tokens as unknown as Json }, apps: { any: app } },
    as: (name, sent = {}) => ({
      ...sent,
      headers: { ...sent.headers, Authorization: `Bearer ${secrets.get(name) ?? name}` },
    }),
  };
}

/** Returns the part of an app outside {@link scope} as text. The object `mine` is omitted because it may be changed. */
export function outsideOf(any: Json): string {
  const { inside: _inside, objects, ...rest } = any as { inside: Json; objects: Json };
  if (!Array.isArray(objects)) return 'the objects are gone';
  const others = objects.filter((it) => ['theirs', 'last'].includes((it as { '@id'?: string } | null)?.['@id'] ?? ''));
  return JSON.stringify({ ...rest, others, more: objects.length > others.length + 1 });
}

/** Returns an app as text, without its second step. */
export function allButSecondStep(any: Json): string {
  const { steps, ...rest } = any as { steps: Json };
  return JSON.stringify({
    ...rest,
    steps: Array.isArray(steps) ? steps.map((step, i) => (i === 1 ? 0 : step)) : steps,
  });
}
