/** Limits the run time of synchronous code, for example a Markdown parser. */
import { itemAt } from '@sluice/base';
import { Script } from 'node:vm';
import { HttpError } from '@sluice/http-app';

const slot = Symbol.for('sluice.run-within');
const script = new Script(`globalThis[Symbol.for('${slot.description}')]()`);

/**
 * Runs synchronous code, and aborts it after the given number of milliseconds with an error of status 500. Uses a thread, so use it for
 * long texts only.
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
