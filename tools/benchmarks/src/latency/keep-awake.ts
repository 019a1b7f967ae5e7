/**
 * Prevents the servers' CPU from idling while latencies are measured. A hypervisor gives an idle CPU to other guests and returns it
 * milliseconds later. This would penalize the servers with the least work. The busy loop has SCHED_IDLE priority (sched(7)), so all other
 * processes preempt it immediately.
 */
import { findCommand, start, stop } from '../machine.ts';

/** CPU on which the servers run. */
const processor = 0;

const chrt = findCommand('chrt');

/** Runs a measurement while the CPU is prevented from idling, if the machine supports it. */
export async function whileAwake<T>(measured: () => Promise<T>): Promise<T> {
  if (chrt === null) return measured();
  const spinning = start(processor, [chrt, '--idle', '0', 'sh', '-c', 'while :; do :; done']);
  try {
    return await measured();
  } finally {
    await stop(spinning);
  }
}
