/** Collects the standard error output of a FastCGI script. */
import type { Logger } from '@sluice/base';

/** Maximum length of a script's standard error output that is kept for the log. */
const maxErrors = 64 * 1024;

/** Collector for the standard error output of one FastCGI request. */
export class ScriptErrors {
  #text = '';

  add(content: Buffer): void {
    if (this.#text.length < maxErrors) this.#text += content.toString('utf8');
  }

  /**
   * Logs the script's standard error output. If `byLine` is true, logs each line as a warning. Otherwise, logs the whole output as one
   * error.
   */
  log(log: Logger, byLine: boolean): void {
    const text = this.#text.trimEnd();
    if (text === '') return;
    if (byLine) for (const line of text.split('\n')) log.warn(line);
    else log.error('script wrote to standard error', { stderr: text });
  }
}
