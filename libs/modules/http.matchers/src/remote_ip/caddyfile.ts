/** `remote_ip RANGE…` */
import { ranges } from '../common/matcher.ts';

export const remoteIp = ranges(
  'remote_ip',
  {
    help: 'Matches requests whose peer IP address is in one of the given ranges. `private_ranges` expands to all private ranges.',
    example: '@outside not remote_ip private_ranges\nabort @outside',
  },
  (found, reader) => {
    if (found.includes('forwarded'))
      throw reader.error("the 'forwarded' option is no longer supported; use the 'client_ip' matcher instead");
  },
);
