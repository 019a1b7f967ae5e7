/** The directive `acme_server [matcher] { ca ID; lifetime TIME; resolvers …; challenges …; allow { … }; deny { … } }`. */
import { block, compact, duration, flag, handler, list, none, text, tlsPiles, type Term } from '@sluice/caddyfile';

const rules = (field: string): Term =>
  block(
    { domains: list('<name>…', { adds: true }), ip_ranges: list('<range>…', { adds: true }) },
    { field, line: null, unknown: "unrecognized 'allow' subdirective: %" },
  );

export const acmeServer = handler(
  'acme_server',
  {
    line: none,
    block: {
      ca: text('<id>', { keep: true }),
      lifetime: duration(),
      resolvers: list('<address>…'),
      challenges: list('<name>…', { adds: true, empty: true }),
      sign_with_root: flag(),
      allow_wildcard_names: flag({ field: 'policy.allow_wildcard_names' }),
      allow: rules('policy.allow'),
      deny: rules('policy.deny'),
    },
    unknown: 'unrecognized ACME server directive: %',
    finish: (fields) => compact(fields),
    example: 'acme_server {\n\tca local\n\tlifetime 12h\n\tallow {\n\t\tdomains *.internal.example\n\t}\n}',
  },
  { also: ({ ca }) => (ca === undefined ? [] : [{ pile: tlsPiles.authority, value: ca }]) },
);
