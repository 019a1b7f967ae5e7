/** How commands fail. Imports nothing heavy: what needs no registry has to be quick. */

/** Failures end with this code, as the reference's do. */
export const failure = 1;

/** A failure that may have left something half done, or that the reference counts among them. */
export const unfinished = 3;

/** An error of the command line itself: its message says all that there is to say. */
export class CommandError extends Error {
  readonly code = 'ERR_COMMAND';

  /** What the process ends with. */
  readonly exitCode: number;

  constructor(message: string, cause?: unknown, exitCode: number = failure) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** Reports an error on standard error: a sentence on a terminal, a log line elsewhere. Returns the exit code. */
export async function report(error: unknown): Promise<number> {
  const message = error instanceof Error ? error.message : String(error);
  const { codeField } = await import('@sluice/base');
  const { standardError, TerminalSink } = await import('./logging/terminal-sink.ts');
  if (process.stderr.isTTY) {
    const { sourceFrame } = await import('./source-frame.ts');
    const { code } = codeField(error);
    process.stderr.write(`Error${code === undefined ? '' : ` [${code}]`}: ${message}\n${sourceFrame(error)}`);
  } else {
    const fields = codeField(error);
    new TerminalSink(standardError()).write({ time: Date.now(), level: 'error', logger: '', message, fields });
  }
  return error instanceof CommandError ? error.exitCode : failure;
}
