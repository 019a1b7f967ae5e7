/** `layer4.matchers.xmpp`: matches XMPP connections (RFC 6120 §4.2). */
import { layer4Matchers } from '@sluice/layer4-app';
import { defineModule, options } from '@sluice/registry';

/** Common prefix of the stream namespaces `jabber:client` and `jabber:server`. */
const sign = Buffer.from('jabber');
const lessThan = 0x3c;
/** Number of leading bytes within which the stream namespace must occur. */
const maxBytes = 512;

export const xmppModule = defineModule(layer4Matchers, {
  name: 'xmpp',
  effect: 'pure',
  help: 'Matches XMPP connections, which begin with an XML stream in a `jabber` namespace.',
  config: options({}),
  provision: () => ({
    match(_, bytes, end) {
      if (end === 0) return null;
      if (bytes[0] !== lessThan) return false;
      const at = bytes.indexOf(sign);
      if (at >= 0 && at + sign.length <= Math.min(end, maxBytes)) return true;
      return end < maxBytes ? null : false;
    },
  }),
});
