/**
 * Confinement: while a task runs for a client that may not read files and environment variables of this machine, code that
 * evaluates text of that client (`import`, `{$NAME}`, `{file.*}`, `{env.*}`) refuses to read them. The state follows the
 * task through promises and queues, so that code far below needs no parameter for it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { SluiceError } from '../errors.ts';

/**
 * `all`: adapters and placeholders, also those that modules expand while they are provisioned. `explanations`: only values
 * in explanations of requests, for a dry run, whose modules have to be provisioned as they would be.
 */
export type Confinement = 'all' | 'explanations';

const current = new AsyncLocalStorage<Confinement>();

/** Runs a task, and what it waits for, confined. */
export function confine<T>(task: () => T, confinement: Confinement = 'all'): T {
  return current.run(confinement, task);
}

/** Reports whether text of this task's client may read neither files nor environment variables. */
export function isConfined(): boolean {
  return current.getStore() === 'all';
}

/** Reports whether explanations show neither. */
export function explainsConfined(): boolean {
  return current.getStore() !== undefined;
}

/** Throws ERR_CONFINED while confined; `what` is the text that asks for the read, such as `import sites/*`. */
export function checkExternalRead(what: string): void {
  if (!isConfined()) return;
  const message = `${what}: this client may not have the server read files and environment variables; write out the values, or allow it with admin.external_reads`;
  throw new SluiceError('ERR_CONFINED', message, { status: 403 });
}
