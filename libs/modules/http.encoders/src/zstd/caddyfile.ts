/** Caddyfile syntax: `zstd [LEVEL] { level LEVEL; disable_checksum }`. */
import { alias, flag, oneOf, syntax, type WordOptions } from '@sluice/caddyfile';

const levels = ['fastest', 'better', 'best', 'default'];
const otherwise = (): string => "unexpected compression level, use one of 'fastest', 'better', 'best', 'default'";
const level = (options: WordOptions): ReturnType<typeof oneOf> =>
  oneOf(levels, { field: 'level', otherwise, ...options });

export const zstd = syntax({
  line: level({ takes: 'optional', shown: `[${levels.join('|')}]` }),
  block: {
    level: alias(level({ takes: 'more', once: 'compression level already specified' })),
    disable_checksum: flag({
      field: 'checksum',
      value: false,
      once: 'checksum already specified',
      help: 'Does not append a checksum of the content.',
    }),
  },
  unknown: "unknown subdirective '%'",
  within: [':8080', 'encode'],
  example: 'zstd better',
});
