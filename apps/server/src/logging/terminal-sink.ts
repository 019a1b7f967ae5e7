/** Default log sink, which writes lines to standard error. */
import { writeSync } from 'node:fs';
import type { LogEntry, LogLevel, LogSink } from '@sluice/base';
import { formatJson, formatText, type Format } from './format.ts';

const severity: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

export interface TerminalOptions {
  /** Minimum level. */
  readonly level: LogLevel;
  readonly format: Format;
  /** Writes a line that already includes its line break. */
  readonly write: (line: string) => void;
}

/**
 * Returns options for text output if standard error is a terminal, and for JSON output otherwise. `NO_COLOR` (no-color.org) disables
 * colors.
 */
export function standardError(level: LogLevel = 'info'): TerminalOptions {
  const color = process.stderr.isTTY && (process.env.NO_COLOR ?? '') === '';
  return { level, format: process.stderr.isTTY ? formatText(color) : formatJson, write: writeStandardError };
}

/** Writes synchronously, so that the last line before a crash is not lost. A full or closed pipe must not stop the server. */
function writeStandardError(line: string): void {
  try {
    writeSync(2, line);
  } catch {
    // Ignore the error, because the pipe has no reader.
  }
}

/** Log sink that writes each entry as a line. */
export class TerminalSink implements LogSink {
  readonly #options: TerminalOptions;

  constructor(options: TerminalOptions) {
    this.#options = options;
  }

  enabled(level: LogLevel): boolean {
    return severity[level] >= severity[this.#options.level];
  }

  write(entry: LogEntry): void {
    this.#options.write(`${this.#options.format(entry)}\n`);
  }
}
