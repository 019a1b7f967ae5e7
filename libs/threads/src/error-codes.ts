/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_CELLS_FULL: {
    meaning: 'The shared memory for metrics and counters is exhausted.',
    advice: 'Remove labels that have many values, or disable per-host metrics. Then restart the server.',
  },
  ERR_NO_RESPONDER: {
    meaning: 'A thread received a request for which it has no handler.',
    advice:
      'A module uses a component that is not configured. If this error occurs with every configuration, report it to the module author.',
  },
  ERR_THREAD: {
    meaning: 'A thread failed with an error that has no error code.',
    advice: 'See the log for details. The message comes from the original error.',
  },
  ERR_THREAD_GONE: {
    meaning: 'A thread exited before it responded, for example because the server is stopping.',
    advice: 'If the server is stopping, no action is required. Otherwise, see the log for the reason for the exit.',
  },
  ERR_THREAD_PROTOCOL: {
    meaning: 'A thread was asked to commit a configuration change that it had not prepared.',
    advice: 'This error indicates a bug in the server. Report the bug, and include the log.',
  },
  ERR_THREAD_ROLE: {
    meaning: 'A module used a control thread feature in a traffic thread.',
    advice: 'Module authors: check `context.roles.control` before using the feature.',
  },
  ERR_WORKER_DIED: {
    meaning: 'All traffic threads exited while preparing a configuration. The previous configuration stays in effect.',
    advice: 'See the log for the reason. Often, a module exits the process or runs out of memory.',
  },
};
