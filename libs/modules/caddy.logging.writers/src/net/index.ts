/** The module `caddy.logging.writers.net`, which writes to a network socket. While the socket is disconnected, lines go to standard error. */
import { defineModule, duration, boolean, options, string } from '@sluice/registry';
import { isDatagramNetwork, isDescriptorNetwork, parseDuration, parseNetworkAddress, requiredText } from '@sluice/base';
import { logWriters } from '@sluice/contracts';
import { descriptorOutput } from '../common/descriptor-output.ts';
import { troubleOf } from '../common/trouble.ts';
import { DatagramOutput } from './datagram-output.ts';
import { StreamOutput } from './stream-output.ts';

export const netModule = defineModule(logWriters, {
  name: 'net',
  help: 'Writes logs to a TCP, UDP or Unix socket. Reconnects automatically, and writes to standard error while disconnected.',
  config: options({
    address: string('Address to connect to: `host:port`, `udp/host:port` or `unix//path`.'),
    dial_timeout: duration('Timeout for establishing a connection. Default: 10s.'),
    soft_start: boolean('Start the server even if the address is unreachable.'),
  }),
  provision(config, context) {
    const name = requiredText(config.address, context, 'address');
    if (name === '') throw context.error('address is missing', 'address');
    const address = parseNetworkAddress(name);
    if (address.network === 'unixgram' || isDescriptorNetwork(address.network))
      throw context.error(`network type ${address.network} is not supported: use tcp, udp or unix`, 'address');
    if (address.startPort !== address.endPort) throw context.error('must have exactly one port', 'address');
    const timeout = parseDuration(config.dial_timeout ?? 0) || 10_000;
    const soft = config.soft_start ?? false;
    return {
      key: `net:${name}`,
      open: () => {
        const options = {
          address,
          name,
          timeout,
          soft,
          fallback: descriptorOutput(2, troubleOf(context)),
          log: context.log,
        };
        return isDatagramNetwork(address.network) ? DatagramOutput.open(options) : StreamOutput.open(options);
      },
    };
  },
});
