/** `layer4.matchers.ssh`: matches SSH connections (RFC 4253 §4.2). */
import { layer4Matchers } from '@sluice/layer4-app';
import { defineModule, options } from '@sluice/registry';
import { beginsWith } from '../common/prefix.ts';

const prefix = Buffer.from('SSH-');

export const sshModule = defineModule(layer4Matchers, {
  name: 'ssh',
  effect: 'pure',
  help: 'Matches SSH connections, which begin with `SSH-`.',
  config: options({}),
  provision: () => ({ match: (_, bytes, end) => beginsWith(bytes, end, prefix) }),
});
