import { describeRollouts } from './rollouts.ts';
import { postgres, redis } from './store-servers.ts';

for (const engine of [postgres, redis]) describeRollouts(engine);
