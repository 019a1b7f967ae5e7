/** Standard error of a script. */
import type { Logger } from '@sluice/base';

/** Maximum length of error output that is kept for the log. */
const maxErrors = 64 * 1024;

/** Collects the standard error of one request. */
export class ScriptErrors {
  #text = '';

  add(content: Buffer): void {
    if (this.#text.length < maxErrors) this.#text += content.toString('utf8');
  }

  /** Logs the error output: one warning per line if `byLine`, otherwise one error. */
  log(log: Logger, byLine: boolean): void {
    const text = this.#text.trimEnd();
    if (text === '') return;
    if (byLine) for (const line of text.split('\n')) log.warn(line);
    else log.error('a script wrote to standard error', { stderr: text });
  }
}
