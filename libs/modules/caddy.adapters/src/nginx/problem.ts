/** Where things stand in the files of a configuration, and how problems name that place. */

/** A line of a file. */
export interface Place {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** An error that names file and line. */
export function problemAt({ file, line }: Place, message: string, cause?: unknown): SyntaxError {
  return new SyntaxError(`${file === '' ? `line ${line}` : `${file}:${line}`}: ${message}`, { cause });
}
