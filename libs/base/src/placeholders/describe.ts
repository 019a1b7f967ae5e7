/** Descriptions of the placeholders that don't depend on a request. Only the reference documentation loads this file. */
import type { GlobalPlaceholder } from './global.ts';

export const globalPlaceholders: Readonly<Record<GlobalPlaceholder, string>> = {
  'env.<name>': 'Value of an environment variable; empty if it is not set.',
  'file.<path>':
    'Content of a file, without a trailing newline; empty if the file cannot be read or is larger than 1 MiB.',
  'system.hostname': 'Host name of this machine.',
  'system.slash': 'Path separator: `/`, or `\\` on Windows.',
  'system.os': 'Operating system, such as `linux`, `darwin` or `windows`.',
  'system.arch': 'Processor architecture, such as `amd64` or `arm64`.',
  'system.wd': 'Working directory of the server.',
  'time.now': 'Current time in the local time zone.',
  'time.now.http': 'Current time in the format of HTTP headers: `Sun, 06 Nov 1994 08:49:37 GMT`.',
  'time.now.common_log': 'Current time in the Common Log Format: `06/Nov/1994:08:49:37 +0000`.',
  'time.now.year': 'Current year in the local time zone.',
  'time.now.unix': 'Current time, in seconds since the Unix epoch.',
  'time.now.unix_ms': 'Current time, in milliseconds since the Unix epoch.',
};
