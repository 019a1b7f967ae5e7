/** Lint check SL052. */
import { caddyfile, defineLint } from '@sluice/registry';
import { visitFields, type PlacedField } from '../fields/fields-together.ts';
import { responseOperationsOn } from '../fields/header-operations.ts';
import { serversOf } from '../servers.ts';

export const corsWithCredentials = defineLint({
  code: 'SL052',
  name: 'cors-with-credentials',
  severity: 'error',
  summary:
    'A CORS response allows credentials from any origin, or combines credentials with `*`, which is not a wildcard in such a response.',
  details: `If a response has \`Access-Control-Allow-Credentials: true\`, browsers reject \`*\` as the origin and treat \`*\` in the other fields as a literal name (Fetch Standard, CORS protocol). Echoing the request's \`Origin\` unchecked lets every site read responses as the logged-in user.
Match the origins that you trust, and return only these origins.`,
  bad: caddyfile(`:8080 {
	header Access-Control-Allow-Origin *
	header Access-Control-Allow-Credentials true
	respond "hello"
}
`),
  good: caddyfile(`:8080 {
	header Access-Control-Allow-Origin https://app.example.com
	header Access-Control-Allow-Credentials true
	respond "hello"
}
`),
  async check(configuration, report) {
    if (responseOperationsOn(configuration, 'access-control-allow-credentials').length === 0) return;
    for (const server of await serversOf(configuration)) {
      visitFields(server, ({ fields, fresh, asksOrigin }) => {
        const credentials = fields.get('access-control-allow-credentials');
        if (credentials?.value.trim().toLowerCase() !== 'true') return;
        for (const name of wildcards) {
          const field = fields.get(name);
          if (field === undefined || !(fresh.has(name) || fresh.has('access-control-allow-credentials'))) continue;
          const problem = problemOf(name, field, asksOrigin);
          if (problem !== null)
            report(field.path, problem, {
              related: [{ path: credentials.path, message: 'credentials are allowed here' }],
            });
        }
      });
    }
  },
});

const origin = 'access-control-allow-origin';
const wildcards = [
  origin,
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-expose-headers',
];

function problemOf(name: string, { name: shown, value }: PlacedField, asksOrigin: boolean): string | null {
  if (name === origin && /^\{(?:http\.request\.)?header\.origin\}$/i.test(value.trim()) && !asksOrigin)
    return "lets every site read responses with the user's credentials: match the origins that you trust";
  if (value.trim() !== '*') return null;
  return name === origin
    ? "browsers reject * together with credentials: return the request's origin, for origins that you trust"
    : `browsers treat * in ${shown} as a literal name when credentials are allowed: list the names`;
}
