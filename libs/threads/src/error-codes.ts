/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_CELLS_FULL: {
    meaning: 'The shared memory for metrics and counters is full.',
    advice: 'Take out labels with many values, or metrics for each host; then restart.',
  },
  ERR_NO_RESPONDER: {
    meaning: 'A thread was asked a question that nothing in it responds to.',
    advice: 'A module asks a part that is not configured; report it to its author if it does so in any configuration.',
  },
  ERR_THREAD: {
    meaning: 'A thread has failed with an error that has no code of its own.',
    advice: 'The message is that of the error; the log of the thread has the rest.',
  },
  ERR_THREAD_GONE: {
    meaning: 'A thread ended before it responded, for instance because the server stops.',
    advice: 'Nothing while the server stops; else the log says why the thread ended.',
  },
  ERR_THREAD_PROTOCOL: {
    meaning: 'A thread was told to commit a change that it has not prepared.',
    advice: 'This is a defect of the server. Please report it with the log.',
  },
  ERR_THREAD_ROLE: {
    meaning: 'A module does in a traffic thread what only the control thread can do.',
    advice: 'For authors of modules: ask `context.roles.control` first.',
  },
  ERR_WORKER_DIED: {
    meaning: 'Every traffic thread ended while it prepared a configuration; the one before stays in force.',
    advice: 'The log has the reason, often a module that ends the process or takes all memory.',
  },
};
