/** Positions in nginx configuration files, and errors that contain a position. */

/** A line in a configuration file. */
export interface Place {
  readonly file: string;
  /** 1-based line number. */
  readonly line: number;
}

export function problemAt({ file, line }: Place, message: string, cause?: unknown): SyntaxError {
  return new SyntaxError(`${file === '' ? `line ${line}` : `${file}:${line}`}: ${message}`, { cause });
}
