/**
 * Keeps the processor of the servers from idling while latencies are measured. Under a hypervisor an idle processor is given to others, and comes
 * back milliseconds later: that would be charged to a server the more, the less it has to do. What runs here is of the idle class,
 * so that the system prefers all else at once (sched(7), SCHED_IDLE).
 */
import { findCommand, start, stop } from '../machine.ts';

/** The processor that servers are on. */
const processor = 0;

const chrt = findCommand('chrt');

/** Runs something while the processor does not idle, where this machine can be asked for it. */
export async function whileAwake<T>(measured: () => Promise<T>): Promise<T> {
  if (chrt === null) return measured();
  const spinning = start(processor, [chrt, '--idle', '0', 'sh', '-c', 'while :; do :; done']);
  try {
    return await measured();
  } finally {
    await stop(spinning);
  }
}
