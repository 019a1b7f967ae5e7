/** Reply of a thread to its task: a result or an error. */
import { isSluiceError, messageOf } from '@sluice/base';

export type TaskReply<R> = { readonly report: R } | { readonly error: TaskError };

interface TaskError {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

/** Runs a task and returns the reply. `code` is the error code for unexpected failures. */
export async function replyOf<R>(code: string, run: () => Promise<R>): Promise<TaskReply<R>> {
  try {
    return { report: await run() };
  } catch (error) {
    const { code: known, status } = isSluiceError(error) ? error : { code, status: 500 };
    return { error: { code: known, status, message: messageOf(error) } };
  }
}
