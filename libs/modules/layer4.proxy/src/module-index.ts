/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'layer4.proxy.selection_policies',
    name: 'first',
    load: async () => (await import('./selection_policies/first/index.ts')).firstModule,
  },
  {
    namespace: 'layer4.proxy.selection_policies',
    name: 'ip_hash',
    load: async () => (await import('./selection_policies/ip_hash/index.ts')).ipHashModule,
  },
  {
    namespace: 'layer4.proxy.selection_policies',
    name: 'least_conn',
    load: async () => (await import('./selection_policies/least_conn/index.ts')).leastConnModule,
  },
  {
    namespace: 'layer4.proxy.selection_policies',
    name: 'random',
    load: async () => (await import('./selection_policies/random/index.ts')).randomModule,
  },
  {
    namespace: 'layer4.proxy.selection_policies',
    name: 'random_choose',
    load: async () => (await import('./selection_policies/random_choose/index.ts')).randomChooseModule,
  },
  {
    namespace: 'layer4.proxy.selection_policies',
    name: 'round_robin',
    load: async () => (await import('./selection_policies/round_robin/index.ts')).roundRobinModule,
  },
  {
    namespace: 'layer4.proxy.selection_policies',
    name: 'weighted_round_robin',
    load: async () => (await import('./selection_policies/weighted_round_robin/index.ts')).weightedRoundRobinModule,
  },
];
