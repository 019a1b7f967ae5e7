/** What placeholders that need no request stand for. Only the reference loads it. */
import type { GlobalPlaceholder } from './global.ts';

/** By name. */
export const globalPlaceholders: Readonly<Record<GlobalPlaceholder, string>> = {
  'env.<name>': 'A variable of the environment; nothing where there is none.',
  'file.<path>':
    'What a file has, without a line feed at its end; nothing where it cannot be read or has more than 1 MiB.',
  'system.hostname': 'Name of this machine.',
  'system.slash': 'What separates the parts of a path: `/`, or `\\` on Windows.',
  'system.os': 'Operating system: `linux`, `darwin`, `windows`.',
  'system.arch': 'Kind of processor: `amd64`, `arm64`.',
  'system.wd': 'Working folder of the server.',
  'time.now': 'The time now, in the local time zone.',
  'time.now.http': 'The time now as header fields have it: `Sun, 06 Nov 1994 08:49:37 GMT`.',
  'time.now.common_log': 'The time now as the Common Log Format has it: `06/Nov/1994:08:49:37 +0000`.',
  'time.now.year': 'The year, in the local time zone.',
  'time.now.unix': 'Seconds since 1970.',
  'time.now.unix_ms': 'Milliseconds since 1970.',
};
