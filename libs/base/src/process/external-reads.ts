/**
 * Confinement prevents clients with restricted permissions from reading the server's files and environment variables.
 *
 * In a confined task, code that evaluates client input (`import`, `{$NAME}`, `{file.*}`, `{env.*}`) rejects such reads. The confinement
 * follows the task through promises and queues, so functions need no extra parameter.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { SluiceError } from '../errors.ts';

/**
 * Scope of a confinement. `all` applies to adapters and to all placeholders, including those expanded during provisioning. `explanations`
 * applies only to values in request explanations, because a dry run must provision modules normally.
 */
export type Confinement = 'all' | 'explanations';

const current = new AsyncLocalStorage<Confinement>();

/** Runs a task in a confined context, including all asynchronous operations that the task awaits. */
export function confine<T>(task: () => T, confinement: Confinement = 'all'): T {
  return current.run(confinement, task);
}

/** Reports whether the current task must not read files or environment variables. */
export function isConfined(): boolean {
  return current.getStore() === 'all';
}

/** Reports whether request explanations must hide the contents of files and environment variables. */
export function explainsConfined(): boolean {
  return current.getStore() !== undefined;
}

/** Throws `ERR_CONFINED` if the current task is confined. `what` is the text that requires the read, such as `import sites/*`. */
export function checkExternalRead(what: string): void {
  if (!isConfined()) return;
  const message = `${what}: this client is not allowed to make the server read files or environment variables; use literal values, or allow such reads with admin.external_reads`;
  throw new SluiceError('ERR_CONFINED', message, { status: 403 });
}
