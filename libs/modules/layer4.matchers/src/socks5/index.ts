/** `layer4.matchers.socks5`: matches connections of SOCKS 5 clients (RFC 1928 §3). */
import { layer4Matchers } from '@sluice/layer4-app';
import { defineModule, integers, options } from '@sluice/registry';

const version = 5;
/** Authentication methods allowed by default: none, GSSAPI, and user name with password. */
const defaultMethods = [0, 1, 2];

export const socks5Module = defineModule(layer4Matchers, {
  name: 'socks5',
  effect: 'pure',
  help: 'Matches SOCKS5 connections if all authentication methods that the client offers are accepted.',
  config: options({
    auth_methods: integers('Accepted authentication methods, as numbers from 0 to 255. Default: 0, 1 and 2.'),
  }),
  provision(config) {
    const methods = new Set(config.auth_methods?.length ? config.auth_methods : defaultMethods);
    return {
      match(_, bytes, end) {
        if (end > 0 && bytes[0] !== version) return false;
        if (end < 2) return null;
        const count = bytes[1] as number;
        if (count === 0) return false;
        for (let at = 2; at < Math.min(end, 2 + count); at++) if (!methods.has(bytes[at] as number)) return false;
        return end < 2 + count ? null : true;
      },
    };
  },
});
