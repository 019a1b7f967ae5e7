/** The log of a server whose configuration says nothing else: lines on standard error. */
import { writeSync } from 'node:fs';
import type { LogEntry, LogLevel, LogSink } from '@sluice/base';
import { formatJson, formatText, type Format } from './format.ts';

const severity: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Where lines go, and how they look. */
export interface TerminalOptions {
  /** Least severe level that is written. */
  readonly level: LogLevel;
  readonly format: Format;
  /** Takes a line with its line break. */
  readonly write: (line: string) => void;
}

/** Text on a terminal and JSON otherwise; `NO_COLOR` (no-color.org) turns colours off. */
export function standardError(level: LogLevel = 'info'): TerminalOptions {
  const colour = process.stderr.isTTY && (process.env.NO_COLOR ?? '') === '';
  return { level, format: process.stderr.isTTY ? formatText(colour) : formatJson, write: writeStandardError };
}

/** Writes at once, so that the last line before a crash is not lost; a full or closed pipe never stops the server. */
function writeStandardError(line: string): void {
  try {
    writeSync(2, line);
  } catch {
    // Nothing reads it.
  }
}

/** Writes entries as lines. */
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
