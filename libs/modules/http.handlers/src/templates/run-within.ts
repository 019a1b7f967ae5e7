/** Limits the run time of synchronous code, for example a Markdown parser. */
import { itemAt } from '@sluice/base';
import { Script } from 'node:vm';
import { HttpError } from '@sluice/http-app';

const slot = Symbol.for('sluice.run-within');
const script = new Script(`globalThis[Symbol.for('${slot.description}')]()`);

/**
 * Runs synchronous code with a time limit in milliseconds. If the code exceeds the limit, it is aborted, and an error with status 500 is
 * thrown. Starts a thread, so use it only for long inputs.
 */
export function runWithin<T>(milliseconds: number, what: string, task: () => T): T {
  const results: T[] = [];
  const before = Object.getOwnPropertyDescriptor(globalThis, slot);
  Object.defineProperty(globalThis, slot, { configurable: true, value: () => void results.push(task()) });
  try {
    script.runInThisContext({ timeout: Math.max(1, Math.ceil(milliseconds)) });
  } catch (error) {
    if ((error as { readonly code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new HttpError(500, `${what} timed out`);
  } finally {
    if (before === undefined) Reflect.deleteProperty(globalThis, slot);
    else Object.defineProperty(globalThis, slot, before);
  }
  return itemAt(results, 0);
}
