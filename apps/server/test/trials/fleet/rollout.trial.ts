import { describeRollouts } from '../../fleet/rollouts.ts';
import { postgres, redis } from '../../fleet/store-servers.ts';

for (const engine of [postgres, redis]) describeRollouts(engine);
