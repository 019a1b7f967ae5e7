/** Entry point of all threads except the control thread. The first message determines the thread's role. */
import { workerData } from 'node:worker_threads';

if (workerData === 'adapting') await import('./workers/adapting-thread.ts');
else if (workerData === 'shadow') await import('./workers/shadow-thread.ts');
else if (workerData === 'tests') await import('./workers/tests-thread.ts');
else await import('./workers/traffic-thread.ts');
