/** `tls [early_data]` */
import { word } from '@sluice/caddyfile';
import { matcher } from '../common/matcher.ts';

/** `early_data` matches requests received before the TLS handshake was complete. */
const earlyData = word('[early_data]', {
  field: 'handshake_complete',
  takes: 'optional',
  keep: true,
  convert(reader, value) {
    if (value === 'early_data') return false;
    throw reader.error(`unrecognized option '${value}'`);
  },
  words: (value) => (value === false ? ['early_data'] : null),
});

export const tls = matcher('tls', {
  line: earlyData,
  help: 'Matches requests received over TLS, or requests sent as early data.',
  example: '@early tls early_data\nrespond @early 425',
});
