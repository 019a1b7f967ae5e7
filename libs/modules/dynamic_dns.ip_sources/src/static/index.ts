import { isIP } from 'node:net';
import { requiredText } from '@sluice/base';
import { addressSources, type AddressSource } from '@sluice/contracts';
import { defineModule, options, strings } from '@sluice/registry';

export const staticModule = defineModule(addressSources, {
  name: 'static',
  help: 'Returns a fixed list of addresses.',
  config: options({ ips: strings('IP addresses. May contain global placeholders, such as `{env.PUBLIC_IP}`.') }),
  provision(config, context): AddressSource {
    const ips = (config.ips ?? []).map((text, index) => {
      const ip = requiredText(text, context, 'ips', index).trim();
      if (isIP(ip) === 0) throw context.error(`${JSON.stringify(ip)} is not an IP address`, 'ips', index);
      return ip;
    });
    return { addresses: () => Promise.resolve(ips) };
  },
});
