/** `caddy.logging.writers.net`: a socket; while it is away lines go to standard error. */
import {
  defineModule,
  duration,
  boolean,
  logWriters,
  options,
  parseDuration,
  parseNetworkAddress,
  string,
} from '@sluice/registry';
import { NetworkOutput } from './network-output.ts';

/** The module. */
export const netModule = defineModule(logWriters, {
  name: 'net',
  help: 'Writes to a socket (tcp, udp, unix); reconnects, and writes to standard error meanwhile.',
  config: options({
    address: string('Address: `host:port`, `udp/host:port`, `unix//path`.'),
    dial_timeout: duration('Longest time for a connection to be made. Default 10s.'),
    soft_start: boolean('Start although the address cannot be reached.'),
  }),
  provision(config, context) {
    const text = config.address ?? '';
    if (text === '') throw context.error('address is missing', 'address');
    const address = parseNetworkAddress(text);
    const timeout = parseDuration(config.dial_timeout ?? 0) || 10_000;
    const soft = config.soft_start ?? false;
    return { key: `net:${text}`, open: () => NetworkOutput.open({ address, timeout, soft, log: context.log }) };
  },
});
