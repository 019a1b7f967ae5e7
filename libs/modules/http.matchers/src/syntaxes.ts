/** The syntax of the matchers of this package. */
import {
  moduleSyntaxes,
  type Description,
  type ModuleSyntax,
  type ModuleSyntaxContribution,
} from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

function syntax(
  name: string,
  load: () => Promise<ModuleSyntax>,
  describe?: () => Promise<Description>,
): ModuleSyntaxContribution {
  return { name: `http.matchers.${name}`, load, ...(describe === undefined ? {} : { describe }) };
}

const contributions: readonly ModuleSyntaxContribution[] = [
  syntax('client_ip', async () => (await import('./client_ip/caddyfile.ts')).readClientIp),
  syntax('expression', async () => (await import('./expression/caddyfile.ts')).readExpression),
  syntax('file', async () => (await import('./file/caddyfile.ts')).readFile),
  syntax('header', async () => (await import('./header/caddyfile.ts')).readHeader),
  syntax('header_regexp', async () => (await import('./header_regexp/caddyfile.ts')).readHeaderRegexp),
  syntax('host', async () => (await import('./host/caddyfile.ts')).readHost),
  syntax('method', async () => (await import('./method/caddyfile.ts')).readMethod),
  syntax('not', async () => (await import('./not/caddyfile.ts')).readNot),
  syntax(
    'path',
    async () => (await import('./path/caddyfile.ts')).readPath,
    async () => (await import('./path/describe.ts')).path,
  ),
  syntax('path_regexp', async () => (await import('./path_regexp/caddyfile.ts')).readPathRegexp),
  syntax('protocol', async () => (await import('./protocol/caddyfile.ts')).readProtocol),
  syntax('query', async () => (await import('./query/caddyfile.ts')).readQuery),
  syntax('remote_ip', async () => (await import('./remote_ip/caddyfile.ts')).readRemoteIp),
  syntax('tls', async () => (await import('./tls/caddyfile.ts')).readTls),
  syntax('url_pattern', async () => (await import('./url_pattern/caddyfile.ts')).readUrlPattern),
  syntax('vars', async () => (await import('./vars/caddyfile.ts')).readVars),
  syntax('vars_regexp', async () => (await import('./vars_regexp/caddyfile.ts')).readVarsRegexp),
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(moduleSyntaxes, ...contributions);
}
