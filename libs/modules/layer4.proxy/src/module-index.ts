/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('layer4.proxy.selection_policies', {
  first: async () => (await import('./selection_policies/first/index.ts')).firstModule,
  ip_hash: async () => (await import('./selection_policies/ip_hash/index.ts')).ipHashModule,
  least_conn: async () => (await import('./selection_policies/least_conn/index.ts')).leastConnModule,
  random: async () => (await import('./selection_policies/random/index.ts')).randomModule,
  random_choose: async () => (await import('./selection_policies/random_choose/index.ts')).randomChooseModule,
  round_robin: async () => (await import('./selection_policies/round_robin/index.ts')).roundRobinModule,
  weighted_round_robin: async () =>
    (await import('./selection_policies/weighted_round_robin/index.ts')).weightedRoundRobinModule,
});
