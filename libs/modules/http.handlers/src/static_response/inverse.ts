/** A static response as `respond`, `redir` or `abort`. */
import { written, words, type Line, type WriteDirective } from '@sluice/caddyfile';
import { isObject } from '@sluice/base';

/** `respond [BODY] [STATUS] { close }` */
export const respond: WriteDirective = ({ body, status_code: status, close, headers, abort }) => {
  if (headers !== undefined || abort !== undefined) return null;
  const block: Line[] = close === true ? [{ words: ['close'] }] : [];
  const [code] = words(status);
  if (body === undefined && code !== undefined && /^\d{3}$/.test(code)) return written([code], block);
  return written([...(body === undefined ? [''] : words(body)), ...words(status)], block);
};

/** `redir TO [STATUS]` */
export const redir: WriteDirective = ({ headers, status_code: status, body }) => {
  if (!isObject(headers)) return null;
  if (body !== undefined) {
    const [to] = /(?<=content="0; URL=')[^']*/.exec(String(body)) ?? [];
    return to === undefined ? null : { words: [to, 'html'] };
  }
  const code = status === 302 ? [] : status === 301 ? ['permanent'] : words(status);
  return { words: [...words(headers['Location']), ...code] };
};

/** `abort` */
export const abort: WriteDirective = (handler) => (handler['abort'] === true ? {} : null);
