/** Lint check SL049. */
import { isArray, isObject, own, type ConfigPath, type Json } from '@sluice/base';
import { defineLint, textsIn, type Report } from '@sluice/registry';
import { says, serverExample } from '../example.ts';

export const invalidHost = defineLint({
  code: 'SL049',
  name: 'invalid-host',
  severity: 'error',
  summary: 'A host list contains an entry that is not a host name, so the entry never matches.',
  details: `A host is compared with the name in the request, without scheme, port and path: \`example.com\`, not \`https://example.com/shop\`. An asterisk must be a whole label, so \`*.example.com\` matches but \`app*.example.com\` does not. To match paths, use the \`path\` matcher.`,
  bad: serverExample([{ match: [{ host: ['https://example.com'] }], handle: [says('hello')] }]),
  good: serverExample([{ match: [{ host: ['example.com'] }], handle: [says('hello')] }]),
  check(configuration, report) {
    for (const id of ['http.matchers.host', 'tls.handshake_match.sni'])
      for (const module of configuration.modulesOf(id))
        if (hasProblem(module.node)) checkNames(module.node, module.path, report);
    const at = ['apps', 'tls', 'automation', 'policies'];
    const policies = configuration.valueAt(at);
    for (const [index, policy] of (isArray(policies) ? policies : []).entries())
      checkNames(isObject(policy) ? own(policy, 'subjects') : undefined, [...at, String(index), 'subjects'], report);
  },
});

function hasProblem(node: Json): boolean {
  return isArray(node) && node.some((each) => typeof each === 'string' && problemOf(each) !== null);
}

function checkNames(node: Json | undefined, path: ConfigPath, report: Report): void {
  for (const { text, path: at } of textsIn(node, path)) {
    const problem = problemOf(text);
    if (problem !== null) report(at, problem);
  }
}

function problemOf(text: string): string | null {
  if (/^(?:\*\.)?[\w.-]+$/.test(text) || text.includes('{')) return null;
  const [, host = ''] = /^(?:[a-z][a-z\d+.-]*:)?\/*([^/:?#\s]+)/i.exec(text) ?? [];
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return `is a URL, which never matches a host: write ${host}`;
  if (/[/?#]/.test(text))
    return `contains a path, which is not part of a host: write ${host}, and match the path separately`;
  if (/[\s,]/.test(text))
    return 'contains a space or a comma, which is not allowed in a host: write each host as a separate entry';
  if (/[^.]\*|\*[^.]/.test(text))
    return 'has an asterisk within a label, which matches nothing: an asterisk must be a whole label';
  return null;
}
