/** Scenario for `http.handlers.authentication` with `http_basic`: valid and malformed credentials. */
import type { Random } from '../../differential/random.ts';
import { echo } from '../echo.ts';
import type { Request } from '../request.ts';
import type { Scenario } from '../scenario.ts';

/** bcrypt hash of `open sesame`. */
const hash = '$2a$05$8Xmt0JIh7FjjWgZvf7IBhubI.s2jyq6kKyIRyruhtXpdtJVDW4/yG';

const users = ['bob', 'Bob', 'eve', 'a b', '', 'bob:', 'é'];
const passwords = ['open sesame', 'open sesame ', 'Open sesame', '', 'x:y', 'x'.repeat(80)];

function authorization(random: Random): string {
  const text = Buffer.from(`${random.pick(users)}:${random.pick(passwords)}`).toString('base64');
  const right = Buffer.from('bob:open sesame').toString('base64');
  return random.pick([
    `Basic ${text}`,
    `Basic ${text}`,
    `Basic ${right}`,
    `bASIC ${right}`,
    `Basic  ${right}`,
    `Basic ${right} `,
    `Basic\t${right}`,
    `Basic ${right.replace(/=+$/, '')}`,
    `Basic ${right.slice(0, 5)}\u0020${right.slice(5)}`,
    `Basic${right}`,
    `Bearer ${right}`,
    'Basic',
    'Basic ',
    'Basic !!!!',
    `Basic ${Buffer.from('bob').toString('base64')}`,
    `Basic ${Buffer.from('bob:open sesame').toString('base64url')}`,
    `Basic ${right}, Basic ${right}`,
  ]);
}

export const basicAuthScenario: Scenario = {
  name: 'basic-auth',
  routes: (random) =>
    [{}, { realm: 'here' }, { realm: 'a "quoted" {http.request.host}' }, { hash_cache: {} }, { accounts: [] }].map(
      (basic) => [
        {
          handler: 'authentication',
          providers: {
            http_basic: {
              accounts: ['bob', 'a b', 'é'].map((username) => ({
                username,
                password: random.pick([hash, Buffer.from(hash).toString('base64')]),
              })),
              ...basic,
            },
          },
        },
        echo('http.auth.user.id', 'http.auth.user.realm', 'http.request.header.Authorization'),
      ],
    ),
  request: (random): Request => ({
    method: random.pick(['GET', 'HEAD', 'POST']),
    target: '/',
    host: 'test.example',
    fields: [
      ...(random.chance(0.95) ? [['Authorization', authorization(random)] as const] : []),
      ...(random.chance(0.05) ? [['Authorization', authorization(random)] as const] : []),
    ],
    body: '',
  }),
};
