/** `layer4.proxy.selection_policies.random`: selects a random upstream. */
import { sampleUpstreams } from '@sluice/http-app';
import { layer4Policies } from '@sluice/layer4-app';
import { defineModule, options } from '@sluice/registry';

export const randomModule = defineModule(layer4Policies, {
  name: 'random',
  help: 'Selects an upstream at random.',
  config: options({}),
  provision: () => ({
    select: (upstreams, connection) => sampleUpstreams(upstreams, 1, connection, Math.random)[0] ?? null,
  }),
});
