/** Contracts of log modules: encoders make lines of entries, writers take lines. */
import { namespace, token, type Namespace, type Token, type Context, type Pooled } from '@sluice/registry';
import type { LogEntry } from '@sluice/base';

/** Makes a line of an entry, with its line ending. Must not throw. */
export interface LogEncoder {
  encode(entry: LogEntry): string;
}

/** An open sink of lines. Writing never waits; a sink that is slow or gone drops and counts. */
export interface LogOutput extends Pooled {
  /** Takes whole lines with their endings; `lines` tells how many. */
  write(text: string, lines: number): void;
  /**
   * The same for lines that are UTF-8 already, in memory that is wanted back: `release` is to be called, once, when
   * nothing reads them any more. Lines of other threads come this way; without this method they come as text.
   */
  writeBytes?(bytes: Buffer, lines: number, release: () => void): void;
}

/** Where lines go. Outputs of one key are one output, whatever the number of logs and configurations. */
export interface LogWriter {
  readonly key: string;
  /** Opens the output. Called in the control thread only; other threads send their lines there. */
  open(): LogOutput | Promise<LogOutput>;
}

/** `caddy.logging.encoders`: inline key `format`. */
export const logEncoders: Namespace<LogEncoder> = namespace<LogEncoder>('caddy.logging.encoders');
/** `caddy.logging.writers`: inline key `output`. */
export const logWriters: Namespace<LogWriter> = namespace<LogWriter>('caddy.logging.writers');
/** The outputs of a thread; see {@link OpenOutputs} and {@link RemoteOutputs}. */
export interface LogOutputs {
  /** The output of a writer, shared by key, until the calling module is dropped. */
  acquire(writer: LogWriter, context: Context): Promise<LogOutput>;
}

/** The outputs of the thread: `context.find(logOutputsToken)`. */
export const logOutputsToken: Token<LogOutputs> = token<LogOutputs>('log-outputs');

/** Changes or drops one field of log entries. */
export interface LogFieldFilter {
  /** The field as it is to be written, or `null` to drop it. Lists of header values arrive as arrays. */
  filter(key: string, value: unknown): { readonly key: string; readonly value: unknown } | null;
}

/** `caddy.logging.encoders.filter`: inline key `filter`. */
export const logFieldFilters: Namespace<LogFieldFilter> = namespace<LogFieldFilter>('caddy.logging.encoders.filter');
