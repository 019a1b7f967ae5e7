/** SNI names of the servers that share an address, in nginx's order. */
import type { Node } from '../json.ts';
import type { Site } from '../site.ts';
import { literal, regularExpression } from '../text/regular-expression.ts';

/** SNI names of one server: either exact names or a regular expression. */
export interface HandshakeNames {
  readonly site: Site;
  readonly exact: readonly string[];
  readonly pattern: string | null;
}

interface Ranked extends HandshakeNames {
  readonly rank: number;
  readonly length: number;
}

const asked = '{http.request.tls.server_name}';

/** Returns the SNI names in order of precedence: exact names, wildcards (longest first), regular expressions. */
export function handshakeNames(sites: readonly Site[]): HandshakeNames[] {
  return sites.flatMap(namesOf).sort((a, b) => a.rank - b.rank || b.length - a.length);
}

function namesOf(site: Site): Ranked[] {
  const exact: string[] = [];
  const others: Ranked[] = [];
  const add = (rank: number, length: number, pattern: string): void =>
    void others.push({ site, rank, length, exact: [], pattern });
  for (const directive of site.scope.own('server_name')) {
    for (const written of directive.args) {
      const name = written.toLowerCase();
      if (name.startsWith('~')) add(3, 0, regularExpression(directive, written.slice(1), { insensitive: true }));
      else if (name.endsWith('.*')) add(2, name.length, `(?i)^${literal(name.slice(0, -1))}.+$`);
      else if (/^\*?\./.test(name)) {
        const rest = name.replace(/^\*/, '');
        if (rest === name) exact.push(name.slice(1));
        add(1, rest.length, `(?i)^.+${literal(rest)}$`);
      } else if (/^\w/.test(name)) exact.push(name.replace(/\.$/, ''));
    }
  }
  const own = [...new Set(exact)];
  return [...(own.length === 0 ? [] : [{ site, rank: 0, length: 0, exact: own, pattern: null }]), ...others];
}

/** Returns connection policy matchers for the SNI names. */
export function policyMatch({ exact, pattern }: HandshakeNames): Node {
  return pattern === null ? { sni: [...exact] } : { sni_regexp: { pattern } };
}

/** Returns a matcher for requests whose connection has one of these SNI names, ignoring case. */
export function serverNameMatch({ exact, pattern }: HandshakeNames): Node {
  return { vars_regexp: { [asked]: { pattern: pattern ?? `(?i)^(?:${exact.map(literal).join('|')})\\.?$` } } };
}

/** Matches requests on connections without an SNI name. */
export const noServerName: Node = { vars: { [asked]: [''] } };

/** Matches requests whose host equals the connection's SNI name. */
export const sameHost: Node = { vars: { [asked]: ['{http.request.host}'] } };
