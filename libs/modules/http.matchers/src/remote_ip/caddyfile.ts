/** `remote_ip RANGE…` */
import { ranges } from '../common/matcher.ts';

export const remoteIp = ranges(
  'remote_ip',
  {
    help: 'Matches if the peer IP address of the connection is in one of these ranges. `private_ranges` expands to all private ranges.',
    example: '@outside not remote_ip private_ranges\nabort @outside',
  },
  (found, reader) => {
    if (found.includes('forwarded'))
      throw reader.error("the 'forwarded' option is no longer supported; use the 'client_ip' matcher instead");
  },
);
