/** Entry point of all threads except the control thread. The first message determines the role. */
import { workerData } from 'node:worker_threads';

if (workerData === 'adapting') await import('./workers/adapting-thread.ts');
else await import('./workers/traffic-thread.ts');
