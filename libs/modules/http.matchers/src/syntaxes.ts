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
  syntax(
    'client_ip',
    async () => (await import('./client_ip/caddyfile.ts')).readClientIp,
    async () => (await import('./client_ip/describe.ts')).clientIp,
  ),
  syntax(
    'expression',
    async () => (await import('./expression/caddyfile.ts')).readExpression,
    async () => (await import('./expression/describe.ts')).expression,
  ),
  syntax(
    'file',
    async () => (await import('./file/caddyfile.ts')).readFile,
    async () => (await import('./file/describe.ts')).file,
  ),
  syntax(
    'header',
    async () => (await import('./header/caddyfile.ts')).readHeader,
    async () => (await import('./header/describe.ts')).header,
  ),
  syntax(
    'header_regexp',
    async () => (await import('./header_regexp/caddyfile.ts')).readHeaderRegexp,
    async () => (await import('./header_regexp/describe.ts')).headerRegexp,
  ),
  syntax(
    'host',
    async () => (await import('./host/caddyfile.ts')).readHost,
    async () => (await import('./host/describe.ts')).host,
  ),
  syntax(
    'method',
    async () => (await import('./method/caddyfile.ts')).readMethod,
    async () => (await import('./method/describe.ts')).method,
  ),
  syntax(
    'not',
    async () => (await import('./not/caddyfile.ts')).readNot,
    async () => (await import('./not/describe.ts')).not,
  ),
  syntax(
    'path',
    async () => (await import('./path/caddyfile.ts')).readPath,
    async () => (await import('./path/describe.ts')).path,
  ),
  syntax(
    'path_regexp',
    async () => (await import('./path_regexp/caddyfile.ts')).readPathRegexp,
    async () => (await import('./path_regexp/describe.ts')).pathRegexp,
  ),
  syntax(
    'protocol',
    async () => (await import('./protocol/caddyfile.ts')).readProtocol,
    async () => (await import('./protocol/describe.ts')).protocol,
  ),
  syntax(
    'query',
    async () => (await import('./query/caddyfile.ts')).readQuery,
    async () => (await import('./query/describe.ts')).query,
  ),
  syntax(
    'remote_ip',
    async () => (await import('./remote_ip/caddyfile.ts')).readRemoteIp,
    async () => (await import('./remote_ip/describe.ts')).remoteIp,
  ),
  syntax(
    'tls',
    async () => (await import('./tls/caddyfile.ts')).readTls,
    async () => (await import('./tls/describe.ts')).tls,
  ),
  syntax(
    'url_pattern',
    async () => (await import('./url_pattern/caddyfile.ts')).readUrlPattern,
    async () => (await import('./url_pattern/describe.ts')).urlPattern,
  ),
  syntax(
    'vars',
    async () => (await import('./vars/caddyfile.ts')).readVars,
    async () => (await import('./vars/describe.ts')).vars,
  ),
  syntax(
    'vars_regexp',
    async () => (await import('./vars_regexp/caddyfile.ts')).readVarsRegexp,
    async () => (await import('./vars_regexp/describe.ts')).varsRegexp,
  ),
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(moduleSyntaxes, ...contributions);
}
