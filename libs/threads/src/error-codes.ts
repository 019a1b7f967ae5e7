/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_CELLS_FULL: {
    meaning: 'The shared memory for metrics and counters is exhausted.',
    advice: 'Remove labels with many values, or per-host metrics; then restart.',
  },
  ERR_NO_RESPONDER: {
    meaning: 'A thread received a request for which it has no handler.',
    advice:
      'A module uses a component that is not configured. If this happens with any configuration, report it to the module author.',
  },
  ERR_THREAD: {
    meaning: 'A thread failed with an error that has no code of its own.',
    advice: 'The message is the original error message; see the log for details.',
  },
  ERR_THREAD_GONE: {
    meaning: 'A thread exited before it responded, for example because the server is stopping.',
    advice: 'None while the server is stopping. Otherwise, the log contains the reason for the exit.',
  },
  ERR_THREAD_PROTOCOL: {
    meaning: 'A thread was asked to commit a change that it had not prepared.',
    advice: 'This is a bug in the server. Please report it with the log.',
  },
  ERR_THREAD_ROLE: {
    meaning: 'A module used a control thread feature in a traffic thread.',
    advice: 'For module authors: check `context.roles.control` first.',
  },
  ERR_WORKER_DIED: {
    meaning: 'Every traffic thread exited while preparing a configuration; the previous one stays in effect.',
    advice: 'See the log for the reason, which is often a module that exits the process or exhausts the memory.',
  },
};
