/** Positions in configuration files, and errors that contain them. */

/** A line of a file. */
export interface Place {
  readonly file: string;
  /** Line number, from 1. */
  readonly line: number;
}

export function problemAt({ file, line }: Place, message: string, cause?: unknown): SyntaxError {
  return new SyntaxError(`${file === '' ? `line ${line}` : `${file}:${line}`}: ${message}`, { cause });
}
