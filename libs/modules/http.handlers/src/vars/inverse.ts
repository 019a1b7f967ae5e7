/** Variables as `vars`, and as the directives that set one which others know. */
import { quoteWord, scalarWord, words, written, type Line, type WriteDirective } from '@sluice/caddyfile';

/** `vars NAME VALUE`, or a block where there are several. */
export const vars: WriteDirective = ({ handler: _handler, ...values }) => {
  const lines = Object.entries(values).map(([name, value]): Line => ({
    words: [quoteWord(name), scalarWord(value)],
    raw: true,
  }));
  const [only] = lines;
  return lines.length === 1 && only !== undefined ? { words: only.words, raw: true } : written([], lines);
};

/** `root PATH` */
export const root: WriteDirective = (handler) => single(handler, 'root');

/** `fs NAME` */
export const fs: WriteDirective = (handler) => single(handler, 'fs');

/** `log_skip` */
export const logSkip: WriteDirective = (handler) => (handler['log_skip'] === true ? {} : null);

/** `log_name NAME…` */
export const logName: WriteDirective = (handler) => single(handler, 'access_logger_names');

function single(handler: Parameters<WriteDirective>[0], name: string): ReturnType<WriteDirective> {
  return handler[name] === undefined ? null : { words: words(handler[name]) };
}
