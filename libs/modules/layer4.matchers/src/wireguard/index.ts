/** `layer4.matchers.wireguard`: matches WireGuard packets that initiate a session (https://www.wireguard.com/protocol/). */
import { layer4Matchers } from '@sluice/layer4-app';
import { defineModule, integer, options } from '@sluice/registry';

/** Size of a WireGuard handshake initiation message, in bytes. */
const initiationSize = 148;
const initiation = 1;
/** Minimum size of WireGuard messages of types 1 to 4, in bytes. */
const minSize = 32;
const lastType = 4;

export const wireguardModule = defineModule(layer4Matchers, {
  name: 'wireguard',
  effect: 'pure',
  help: 'Matches WireGuard packets by message type and size.',
  config: options({
    zero: integer('Value of the reserved bytes after the message type, which some protocol variants use. Default: 0.'),
  }),
  provision(config, context) {
    const zero = config.zero ?? 0;
    if (zero < 0 || zero > 0xffff_ffff) throw context.error(`must be from 0 to 4294967295, not ${zero}`, 'zero');
    const reserved = zero & 0xffff_ff00;
    return {
      match(_, bytes, end) {
        if (end < 4) return end === 0 ? null : false;
        const type = bytes[0] as number;
        const rest = (bytes.readUInt32LE(0) & 0xffff_ff00) | 0;
        if (rest !== reserved || type < initiation || type > lastType) return false;
        return type === initiation ? end === initiationSize : end >= minSize;
      },
    };
  },
});
