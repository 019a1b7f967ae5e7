/** Lint check SL038. */
import { isArray, isObject, own } from '@sluice/base';
import { getAt } from '@sluice/reconciler';
import { defineLint, nativeJson } from '@sluice/registry';

const example = (listen: string): object => ({
  admin: { listen },
  apps: { http: { servers: { web: { listen: [':8080'] } } } },
});

export const openAdmin = defineLint({
  code: 'SL038',
  name: 'open-admin',
  severity: 'error',
  summary: 'The admin API accepts connections from other machines without a token.',
  details: `Anyone who can connect can replace the configuration, read its secrets, and stop the server. Listen on the loopback address or a Unix socket, use
tokens (\`admin.tokens\`, \`sluice token\`), or use the remote endpoint (\`admin.remote\`), which requires client certificates.`,
  bad: nativeJson(example(':2019')),
  good: nativeJson(example('127.0.0.1:2019')),
  check({ document }, report) {
    const admin = getAt(document, ['admin']);
    if (!isObject(admin) || own(admin, 'disabled') === true) return;
    const listen = own(admin, 'listen');
    const tokens = own(admin, 'tokens');
    const hasTokens = isArray(tokens) && tokens.length > 0;
    if (typeof listen !== 'string' || listen === '' || hasTokens || isHere(listen)) return;
    report(
      ['admin', 'listen'],
      `lets anyone who can connect to ${listen} replace the configuration: listen on 127.0.0.1, or set tokens`,
    );
  },
});

/**
 * Reports whether an address accepts connections only from this machine. An address from an environment variable counts as local, because
 * its value is unknown.
 */
function isHere(listen: string): boolean {
  return /^(?:unix|fd)|^(?:tcp\d?\/)?(?:localhost|127\.[\d.]+|\[::1\]):|\{/.test(listen);
}
