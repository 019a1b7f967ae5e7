import { describeRollouts } from './rollouts.ts';
import { etcd } from './store-servers.ts';

describeRollouts(etcd);
