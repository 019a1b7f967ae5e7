/** Caddyfile syntax of the IP source modules. */
import { expandRanges, list, syntax } from '@sluice/caddyfile';

export const syntaxes = {
  static: syntax({
    line: list('<range>…', { field: 'ranges', empty: true, all: (_reader, words) => expandRanges(words) }),
    help: 'Provides a fixed list of IP ranges. `private_ranges` expands to all private ranges.',
    within: ['', 'servers', 'trusted_proxies %'],
    example: 'static private_ranges 192.0.2.0/24',
  }),
};
