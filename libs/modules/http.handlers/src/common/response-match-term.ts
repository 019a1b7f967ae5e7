/** The option `match` of directives that change responses. Their readers call `readResponseMatcher`. */
import { note, type Term } from '@sluice/caddyfile';

/** Describes the option; `help` says which responses it selects. */
export function responseMatchTerm(help: string): Term {
  return {
    ...note('[header <field> [<value>]|status <code>…]', help),
    block: {
      header: note('<field> [<value>]', 'Response header field. `*` in the value matches any string.'),
      status: note('<code>…', 'Status codes, or classes such as `2xx`.'),
    },
  };
}
