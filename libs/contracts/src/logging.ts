/** Interfaces of log modules. Encoders format entries as lines, and writers output the lines. */
import { namespace, token, type Namespace, type Token, type Context, type Pooled } from '@sluice/registry';
import type { LogEntry } from '@sluice/base';

/** Formats a log entry as a line, including the line ending. Must not throw. */
export interface LogEncoder {
  encode(entry: LogEntry): string;
}

/** An open log output. Writes never block. If the output is slow or broken, it drops entries and counts them. */
export interface LogOutput extends Pooled {
  /** Writes complete lines, including line endings. `lines` is the number of lines in `text`. */
  write(text: string, lines: number): void;
  /**
   * Writes UTF-8 lines from a buffer that the caller reuses. The output must call `release` exactly once, after it has finished reading the
   * buffer.
   *
   * The control thread uses this method for lines from other threads. If this method is missing, these lines are passed as strings.
   */
  writeBytes?(bytes: Buffer, lines: number, release: () => void): void;
}

/** Configuration of a log output. Writers with the same key share one output, across logs and configuration reloads. */
export interface LogWriter {
  readonly key: string;
  /** Opens the log output. Called only in the control thread. Other threads send their lines to the control thread. */
  open(): LogOutput | Promise<LogOutput>;
}

/** Module namespace `caddy.logging.encoders`, with the inline key `format`. */
export const logEncoders: Namespace<LogEncoder> = namespace<LogEncoder>('caddy.logging.encoders');
/** Module namespace `caddy.logging.writers`, with the inline key `output`. */
export const logWriters: Namespace<LogWriter> = namespace<LogWriter>('caddy.logging.writers');
/** Log outputs of a thread; see {@link OpenOutputs} and {@link RemoteOutputs}. */
export interface LogOutputs {
  /** Acquires the output for a writer until the calling module is disposed of. Writers with the same key share one output. */
  acquire(writer: LogWriter, context: Context): Promise<LogOutput>;
}

/** Service token for the log outputs of a thread: `context.find(logOutputsToken)`. */
export const logOutputsToken: Token<LogOutputs> = token<LogOutputs>('log-outputs');

/** Modifies or removes one field of log entries. */
export interface LogFieldFilter {
  /** Returns the field to write, or `null` to remove the field. Lists of header values are passed as arrays. */
  filter(key: string, value: unknown): { readonly key: string; readonly value: unknown } | null;
}

/** Module namespace `caddy.logging.encoders.filter`, with the inline key `filter`. */
export const logFieldFilters: Namespace<LogFieldFilter> = namespace<LogFieldFilter>('caddy.logging.encoders.filter');
