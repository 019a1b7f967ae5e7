/** `reverse_proxy [matcher] UPSTREAM… { … }` */
import { handlerDirective, moduleObject } from '@sluice/caddyfile';
import { readProxyOption } from './caddyfile/options.ts';
import { ProxyDraft } from './caddyfile/proxy-draft.ts';

/** Makes the handler `reverse_proxy`. */
export const reverseProxy = handlerDirective((reader) => {
  const draft = new ProxyDraft();
  for (const address of reader.remaining()) draft.addUpstream(address, reader);
  for (const option of reader.block()) {
    if (!readProxyOption(option, draft, reader)) throw reader.error(`unrecognized subdirective ${option}`);
  }
  return moduleObject('handler', 'reverse_proxy', draft.json(reader));
});
