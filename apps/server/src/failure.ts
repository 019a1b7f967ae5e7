/** How commands fail. Imports nothing heavy: what needs no registry has to be quick. */

/** Every failure ends with this code, as the reference's do. */
export const failure = 1;

/** An error of the command line itself: its message says all that there is to say. */
export class CommandError extends Error {
  readonly code = 'ERR_COMMAND';

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CommandError';
  }
}

/** Reports an error on standard error: a sentence on a terminal, a log line elsewhere. Returns the exit code. */
export async function report(error: unknown): Promise<number> {
  const message = error instanceof Error ? error.message : String(error);
  const { standardError, TerminalSink } = await import('./logging/terminal-sink.ts');
  if (process.stderr.isTTY) process.stderr.write(`Error: ${message}\n`);
  else new TerminalSink(standardError()).write({ time: Date.now(), level: 'error', logger: '', message, fields: {} });
  return failure;
}
