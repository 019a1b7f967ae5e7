/** The PROXY protocol as `proxy_protocol`. */
import { isObject } from '@sluice/base';
import { durationWord, optionLines, written, type WriteModule } from '@sluice/caddyfile';

/** `proxy_protocol { … }` */
export const writeProxyProtocol: WriteModule = (options) => {
  if (!isObject(options)) return null;
  const block = optionLines(options, [
    ['timeout', 'timeout', durationWord],
    ['allow', 'allow'],
    ['deny', 'deny'],
    ['fallback_policy', 'fallback_policy'],
  ]);
  return [written([], block)];
};
