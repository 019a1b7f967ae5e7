/** Caddyfile syntax of the IP sources. */
import { expandRanges, list, syntax } from '@sluice/caddyfile';

export const syntaxes = {
  static: syntax({
    line: list('<range>…', { field: 'ranges', empty: true, all: (_reader, words) => expandRanges(words) }),
    help: 'A fixed list of IP ranges; `private_ranges` stands for all private ranges.',
    within: ['', 'servers', 'trusted_proxies %'],
    example: 'static private_ranges 192.0.2.0/24',
  }),
};
