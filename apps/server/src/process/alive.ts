/** Whether all threads still run: one that hangs in an endless loop does not reply. */
import { question, type Question, type ThreadBus } from '@sluice/threads';

const aliveQuestion: Question<null, true> = question('process.alive');

/** Lets a thread reply. Called when it is assembled. */
export function shareAlive(bus: ThreadBus): void {
  bus.onGather(aliveQuestion, () => true);
}

/** Control thread: resolves when all threads have replied. */
export async function allAlive(bus: ThreadBus): Promise<void> {
  await bus.gather(aliveQuestion, null);
}
