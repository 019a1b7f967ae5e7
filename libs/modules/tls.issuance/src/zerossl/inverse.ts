/** An issuer with an API as `zerossl`. */
import { isObject } from '@sluice/base';
import { optionLines, words, written, type WriteModule } from '@sluice/caddyfile';
import { dnsLines } from '../common/dns-inverse.ts';

/** `zerossl KEY { … }` */
export const writeZeroSsl: WriteModule = async (options, writer) => {
  if (!isObject(options)) return null;
  const block = [
    ...optionLines(options, [
      ['listen_host', 'listen_host'],
      ['alt_http_port', 'alternate_http_port'],
    ]),
    ...(await dnsLines(options['cname_validation'], writer)),
  ];
  return [written(words(options['api_key']), block)];
};
