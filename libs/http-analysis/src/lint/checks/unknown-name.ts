/** Lint check SL045. */
import { closest, formatPointer, isArray, isObject, own, type ConfigPath, type Json } from '@sluice/base';
import { getAt } from '@sluice/reconciler';
import { caddyfile, defineLint, type Report } from '@sluice/registry';

export const unknownName = defineLint({
  code: 'SL045',
  name: 'unknown-name',
  severity: 'error',
  summary: 'A method or protocol is misspelled or not in uppercase.',
  details: `The names of methods and HTTP versions come from fixed lists. A name that is not in the list never matches a request, and the server does not report it. Methods are case-sensitive (RFC 9110 §9.1). The \`method\` matcher accepts lowercase, but upstreams and expressions do not, so the check suggests uppercase for matchers too.`,
  bad: caddyfile(`:8080 {
	@old protocol http/1
	respond @old "please upgrade"
	respond "hello"
}
`),
  good: caddyfile(`:8080 {
	@old protocol http/1.0
	respond @old "please upgrade"
	respond "hello"
}
`),
  check(configuration, report) {
    for (const { node, path } of configuration.modulesOf('http.matchers.method'))
      for (const [index, method] of (isArray(node) ? node : []).entries())
        checkMethod(method, [...path, String(index)], report, 'note');
    for (const { node, path } of configuration.modulesOf('http.matchers.protocol'))
      checkWord(node, path, protocols, report);
    for (const { node, path } of configuration.modulesOf('http.reverse_proxy.transport.http'))
      checkList(isObject(node) ? own(node, 'versions') : undefined, [...path, 'versions'], versions, report);
    for (const module of configuration.modulesOf('http.handlers.reverse_proxy')) {
      for (const at of methodsOfProxies) {
        const method = getAt(module.node, at);
        if (method !== undefined) checkMethod(method, [...module.path, ...at], report, 'warning');
      }
    }
    for (const module of configuration.modulesOf('http.handlers.rewrite')) {
      const method = isObject(module.node) ? own(module.node, 'method') : undefined;
      if (method !== undefined) checkMethod(method, [...module.path, 'method'], report, 'warning');
    }
    const at = ['apps', 'http', 'servers'];
    const servers = configuration.valueAt(at);
    for (const [name, server] of isObject(servers) ? Object.entries(servers) : [])
      checkList(
        isObject(server) ? own(server, 'protocols') : undefined,
        [...at, name, 'protocols'],
        serverProtocols,
        report,
      );
  },
});

const methodsOfProxies = [
  ['health_checks', 'active', 'method'],
  ['rewrite', 'method'],
];

const protocols = [
  'http',
  'https',
  'grpc',
  ...['1.0', '1.1', '2', '3'].flatMap((each) => [`http/${each}`, `http/${each}+`]),
];
const serverProtocols = ['h1', 'h2', 'h2c', 'h3'];
const versions = ['1.1', '2', 'h2c', '3'];

/** HTTP methods: those of RFC 9110, PATCH, and WebDAV methods (RFC 4918 and its extensions). */
const methods = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'PROPFIND', 'PROPPATCH', 'MKCOL'],
  ...['COPY', 'MOVE', 'LOCK', 'UNLOCK', 'REPORT', 'SEARCH', 'ACL', 'BIND', 'CHECKIN', 'CHECKOUT', 'LABEL', 'LINK'],
  ...['MERGE', 'MKACTIVITY', 'MKCALENDAR', 'MKREDIRECTREF', 'MKWORKSPACE', 'ORDERPATCH', 'PRI', 'QUERY', 'REBIND'],
  ...[
    'UNBIND',
    'UNCHECKOUT',
    'UNLINK',
    'UPDATE',
    'UPDATEREDIRECTREF',
    'VERSION-CONTROL',
    'BASELINE-CONTROL',
    'PURGE',
    'BAN',
  ],
];

function checkMethod(method: Json, path: ConfigPath, report: Report, severity: 'note' | 'warning'): void {
  if (typeof method !== 'string' || !/^[A-Za-z-]+$/.test(method)) return;
  const upper = method.toUpperCase();
  const meant = methods.includes(upper) ? upper : closestMethod(upper);
  if (meant === null || meant === method) return;
  if (meant === upper)
    report(path, `${method} is in lowercase, but methods are case-sensitive: write ${meant}`, {
      severity,
      ...replacement(path, meant),
    });
  else
    report(path, `${method} is probably a misspelled method: write ${meant}`, {
      severity: 'warning',
      ...replacement(path, meant),
    });
}

/**
 * Returns the known method that a name probably misspells. Two letters may be swapped. In longer names, one letter may be missing, wrong,
 * or extra.
 */
function closestMethod(method: string): string | null {
  for (let index = 1; index < method.length; index++) {
    const swapped = `${method.slice(0, index - 1)}${method[index] ?? ''}${method[index - 1] ?? ''}${method.slice(index + 1)}`;
    if (methods.includes(swapped)) return swapped;
  }
  return closest(
    method,
    methods.filter((each) => each.length > 4),
    1,
  );
}

function checkList(node: Json | undefined, path: ConfigPath, known: readonly string[], report: Report): void {
  for (const [index, word] of (isArray(node) ? node : []).entries())
    checkWord(word, [...path, String(index)], known, report);
}

function checkWord(word: Json, path: ConfigPath, known: readonly string[], report: Report): void {
  if (typeof word !== 'string' || known.includes(word) || word.includes('{')) return;
  report(path, `${JSON.stringify(word)} is not a valid protocol here: use one of ${known.join(', ')}`);
}

function replacement(
  path: ConfigPath,
  value: string,
): { readonly fix: { title: string; operations: [{ op: 'replace'; path: string; value: string }] } } {
  return { fix: { title: `write ${value}`, operations: [{ op: 'replace', path: formatPointer(path), value }] } };
}
