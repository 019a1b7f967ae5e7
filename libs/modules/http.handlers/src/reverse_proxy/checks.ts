/** Configuration checks for reverse proxies. They detect upstreams that can never be reached. */
import { parseDialAddress } from '@sluice/http-app';
import { defineCheck } from '@sluice/registry';
import { isArray, isObject, messageOf, own, type Json } from '@sluice/base';

/** Reports a reverse proxy without upstreams. */
export const upstreamsCheck = defineCheck({
  name: 'proxy-without-upstreams',
  help: 'A reverse proxy without upstreams responds to every request with 503.',
  modules: ['http.handlers.reverse_proxy'],
  check: ({ node }, warn) => {
    if (!isObject(node) || own(node, 'dynamic_upstreams')) return;
    const upstreams = own(node, 'upstreams');
    if (isArray(upstreams) && upstreams.length > 0) return;
    warn('no upstreams, so every request fails with 503; add upstreams or dynamic_upstreams', 'upstreams');
  },
});

/**
 * Checks dial addresses when a configuration is loaded. Otherwise, they would be parsed only when a request is sent, because they may
 * contain placeholders.
 */
export const dialCheck = defineCheck({
  name: 'proxy-dial-address',
  help: 'Upstream addresses that are URLs, or have no port, cannot be dialed.',
  modules: ['http.handlers.reverse_proxy', 'http.handlers.mirror'],
  check: ({ node }, warn) => {
    const upstreams = isObject(node) ? own(node, 'upstreams') : undefined;
    if (!isArray(upstreams)) return;
    for (const [index, upstream] of upstreams.entries()) {
      const problem = isObject(upstream) ? problemOf(own(upstream, 'dial')) : null;
      if (problem !== null) warn(problem, 'upstreams', index, 'dial');
    }
  },
});

/** Describes a problem with an address and its solution. Returns `null` if there is no problem or the address depends on the request. */
function problemOf(dial: Json | undefined): string | null {
  const text = typeof dial === 'string' ? dial : '';
  if (text === '') return 'is missing: set the address of the upstream, such as "localhost:8080"';
  const url = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(text);
  if (url !== null) {
    const [, scheme = '', authority = ''] = url;
    const secure = /^(?:https|wss|h2)$/i.test(scheme);
    const address = /:\d+$/.test(authority) ? authority : `${authority}:${secure ? 443 : 80}`;
    return `is a URL, but must be an address: write ${JSON.stringify(address)}${secure ? ', and a transport with "tls": {}' : ''}`;
  }
  if (/\{[^{}]*\}/.test(text)) return null;
  try {
    parseDialAddress(text);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
