/** `layer4.matchers.proxy_protocol`: matches connections that begin with a PROXY header. */
import { layer4Matchers } from '@sluice/layer4-app';
import { defineModule, options } from '@sluice/registry';
import { beginsWith } from '../common/prefix.ts';

const version1 = Buffer.from('PROXY ');
const version2 = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]);

export const proxyProtocolModule = defineModule(layer4Matchers, {
  name: 'proxy_protocol',
  effect: 'pure',
  help: 'Matches connections that begin with a PROXY protocol header, version 1 or 2. The `proxy_protocol` handler reads the header.',
  config: options({}),
  provision: () => ({
    match: (_, bytes, end) => {
      const first = beginsWith(bytes, end, version1);
      return first === false ? beginsWith(bytes, end, version2) : first;
    },
  }),
});
