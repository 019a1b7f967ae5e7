/** Lint check SL054. */
import { caddyfile, defineLint } from '@sluice/registry';
import { visitFields, type Fields } from '../fields/fields-together.ts';
import { fieldOperations } from '../fields/header-operations.ts';
import { serversOf } from '../servers.ts';

export const conflictingHeaders = defineLint({
  code: 'SL054',
  name: 'conflicting-headers',
  severity: 'warning',
  summary: 'Two header fields of the same response contradict each other.',
  details: `Clients follow only one of the contradictory fields, and not all clients follow the same one. A message with both \`Content-Length\` and \`Transfer-Encoding\` is rejected, because it enables request smuggling (RFC 9112 §6.3). Remove one of the fields, or make them agree.`,
  bad: caddyfile(`:8080 {
	header X-Frame-Options DENY
	header Content-Security-Policy "frame-ancestors 'self'"
	respond "hello"
}
`),
  good: caddyfile(`:8080 {
	header X-Frame-Options SAMEORIGIN
	header Content-Security-Policy "frame-ancestors 'self'"
	respond "hello"
}
`),
  async check(configuration, report) {
    const named = new Set(fieldOperations(configuration).map(({ name }) => name.toLowerCase()));
    if (!pairs.some(({ first, second }) => named.has(first) && named.has(second))) return;
    for (const server of await serversOf(configuration)) {
      visitFields(server, ({ fields, fresh }) => {
        for (const { first, second, holds, advice } of pairs) {
          const [a, b] = [fields.get(first), fields.get(second)];
          if (a === undefined || b === undefined || !(fresh.has(first) || fresh.has(second))) continue;
          if (!contradicts(fields, first, second, holds)) continue;
          const [at, other] = fresh.has(second) ? [b, a] : [a, b];
          report(at.path, `contradicts ${other.name}: ${advice}`, {
            related: [{ path: other.path, message: 'the field that it contradicts' }],
          });
        }
      });
    }
  },
});

interface Pair {
  readonly first: string;
  readonly second: string;
  /** Reports whether two lowercase values contradict each other. */
  readonly holds: (first: string, second: string) => boolean;
  readonly advice: string;
}

const pairs: readonly Pair[] = [
  {
    first: 'content-length',
    second: 'transfer-encoding',
    holds: () => true,
    advice: 'a message can have only one of them; remove both, because the server frames messages itself',
  },
  {
    first: 'connection',
    second: 'keep-alive',
    holds: (connection) => connection.trim() === 'close',
    advice: 'a closing connection is not kept alive; remove one of the fields',
  },
  {
    first: 'cache-control',
    second: 'pragma',
    holds: (control, pragma) => pragma.trim() === 'no-cache' && /\bpublic\b|max-age=[1-9]/.test(control),
    advice: 'Cache-Control allows caching, but Pragma forbids it; remove Pragma',
  },
  {
    first: 'cache-control',
    second: 'vary',
    holds: (control, vary) => vary.trim() === '*' && /\bpublic\b|max-age=[1-9]/.test(control),
    advice: 'caches never reuse a response with `Vary: *`; name the fields that the response depends on',
  },
  {
    first: 'x-frame-options',
    second: 'content-security-policy',
    holds: (options, policy) => {
      const [, ancestors] = /frame-ancestors\s+([^;]+)/.exec(policy) ?? [];
      if (ancestors === undefined) return false;
      const isNone = ancestors.trim() === "'none'";
      return (options.trim() === 'deny' && !isNone) || (options.trim() === 'sameorigin' && isNone);
    },
    advice: 'make X-Frame-Options and frame-ancestors allow the same origins',
  },
];

function contradicts(fields: Fields, first: string, second: string, holds: Pair['holds']): boolean {
  const [a, b] = [fields.get(first)?.value ?? '', fields.get(second)?.value ?? ''];
  return !a.includes('{') && !b.includes('{') && holds(a.toLowerCase(), b.toLowerCase());
}
