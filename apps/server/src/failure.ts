/** Failures of commands. This file has few imports, so that commands that don't need a registry start fast. */
import { codeField } from '@sluice/base';

/** Default exit code of failures, the same as in Caddy. */
export const failure = 1;

/** Exit code for failures that may leave work unfinished, or for which Caddy uses the same code. */
export const unfinished = 3;

/** Error of a command, with a message that needs no further context. */
export class CommandError extends Error {
  readonly code = 'ERR_COMMAND';

  readonly exitCode: number;

  constructor(message: string, cause?: unknown, exitCode: number = failure) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** Prints an error to standard error: as a sentence on a terminal, otherwise as a log line. Returns the exit code. */
export async function report(error: unknown): Promise<number> {
  const message = error instanceof Error ? error.message : String(error);
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
