/** Interfaces of log modules: encoders format entries as lines, and writers output lines. */
import { namespace, token, type Namespace, type Token, type Context, type Pooled } from '@sluice/registry';
import type { LogEntry } from '@sluice/base';

/** Formats an entry as a line, including the line ending. Must not throw. */
export interface LogEncoder {
  encode(entry: LogEntry): string;
}

/** An open log output. Writes never block: a slow or broken output drops entries and counts them. */
export interface LogOutput extends Pooled {
  /** Writes complete lines with line endings. `lines` is the number of lines. */
  write(text: string, lines: number): void;
  /**
   * Writes UTF-8 lines from a buffer that the caller reuses. The output must call `release` exactly once, when it no longer reads the
   * buffer.
   *
   * Lines of other threads arrive this way. If this method is absent, lines are passed as strings.
   */
  writeBytes?(bytes: Buffer, lines: number, release: () => void): void;
}

/** Configuration of an output. Writers with the same key share one output across logs and configurations. */
export interface LogWriter {
  readonly key: string;
  /** Opens the output. Called only in the control thread; other threads send their lines to it. */
  open(): LogOutput | Promise<LogOutput>;
}

/** `caddy.logging.encoders`: inline key `format`. */
export const logEncoders: Namespace<LogEncoder> = namespace<LogEncoder>('caddy.logging.encoders');
/** `caddy.logging.writers`: inline key `output`. */
export const logWriters: Namespace<LogWriter> = namespace<LogWriter>('caddy.logging.writers');
/** The log outputs of a thread; see {@link OpenOutputs} and {@link RemoteOutputs}. */
export interface LogOutputs {
  /** Acquires the output of a writer, shared by key, until the calling module is disposed of. */
  acquire(writer: LogWriter, context: Context): Promise<LogOutput>;
}

/** The log outputs of the thread: `context.find(logOutputsToken)`. */
export const logOutputsToken: Token<LogOutputs> = token<LogOutputs>('log-outputs');

/** Modifies or drops one field of log entries. */
export interface LogFieldFilter {
  /** Returns the field to write, or `null` to drop it. Lists of header values are passed as arrays. */
  filter(key: string, value: unknown): { readonly key: string; readonly value: unknown } | null;
}

/** `caddy.logging.encoders.filter`: inline key `filter`. */
export const logFieldFilters: Namespace<LogFieldFilter> = namespace<LogFieldFilter>('caddy.logging.encoders.filter');
