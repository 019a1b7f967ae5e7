/** The code of all threads beside the control thread; what each is for is said when it is started. */
import { workerData } from 'node:worker_threads';

if (workerData === 'adapting') await import('./workers/adapting-thread.ts');
else await import('./workers/traffic-thread.ts');
