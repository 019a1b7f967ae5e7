/** The worker thread of `watchForLoops`. */
import { workerData } from 'node:worker_threads';
import type { Watch } from './watch-for-loops.ts';

const { count, timeout } = workerData as Watch;

function usedSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

let seen = Atomics.load(count, 0);
let since = usedSeconds();
setInterval(() => {
  const now = Atomics.load(count, 0);
  if (now === seen) {
    if (usedSeconds() - since > timeout) process.kill(process.pid, 'SIGXCPU');
    return;
  }
  seen = now;
  since = usedSeconds();
}, 500);
