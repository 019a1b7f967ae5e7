/** Translates `fastcgi_pass`, which proxies requests to a FastCGI server. */
import { node, passing, rewriteTo, terminal, type Node } from '../json.ts';
import type { LocationPath } from '../location-path.ts';
import { bodyHandlers, bodyRoutes } from '../response/body-size.ts';
import { responseHandlers } from '../response/stages.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { argument, type Directive } from '../syntax/directive.ts';
import { expandText, rootFolder, variablesOf } from '../text/expand.ts';
import { interceptedErrors } from './errors.ts';
import { responseFields } from './response-fields.ts';
import { timeouts } from './transport.ts';
import { singleServer, translateGroup, type Group } from './upstreams.ts';

/** FastCGI parameters that are set by default, to the same values as in nginx's own parameter files. */
const defaultParameters: ReadonlySet<string> = new Set(
  [
    'QUERY_STRING $query_string|REQUEST_METHOD $request_method|CONTENT_TYPE $content_type|CONTENT_LENGTH $content_length',
    'SCRIPT_FILENAME $document_root$fastcgi_script_name|SCRIPT_FILENAME $realpath_root$fastcgi_script_name',
    'SCRIPT_FILENAME $request_filename|SCRIPT_NAME $fastcgi_script_name|REQUEST_URI $request_uri|DOCUMENT_URI $document_uri',
    'DOCUMENT_ROOT $document_root|DOCUMENT_ROOT $realpath_root|SERVER_PROTOCOL $server_protocol|REQUEST_SCHEME $scheme',
    'HTTPS $https|GATEWAY_INTERFACE CGI/1.1|REMOTE_ADDR $remote_addr|REMOTE_PORT $remote_port|SERVER_PORT $server_port',
    'SERVER_SOFTWARE nginx/$nginx_version|REDIRECT_STATUS 200|PATH_INFO $fastcgi_path_info|PATH_INFO $path_info|PATH_TRANSLATED $document_root$fastcgi_path_info|REMOTE_USER $remote_user',
  ].flatMap((line) => line.split('|')),
);

/** A split string that never occurs in a path. If `fastcgi_split_path_info` is missing, the script name is the whole path. */
const neverInPaths = '\0';

export function fastcgiRoutes(site: Site, scope: Scope, path: LocationPath, directive: Directive): Node[] {
  const group = groupOf(site, scope, directive);
  const split = scope.find('fastcgi_split_path_info');
  const index = scope.find('fastcgi_index');
  const environment = environmentOf(site, scope);
  const handler = node({
    handler: 'reverse_proxy',
    upstreams: group.upstreams,
    load_balancing: group.loadBalancing,
    health_checks: group.healthChecks,
    transport: node({
      protocol: 'fastcgi',
      root: rootFolder(site, scope),
      split_path: [split === undefined ? neverInPaths : splitOf(site, split)],
      env: Object.keys(environment).length === 0 ? undefined : environment,
      ...timeouts(scope, 'fastcgi'),
      capture_stderr: true,
    }),
    headers: { response: responseFields(site, scope, path, { kind: 'fastcgi', address: null }) },
    handle_response: interceptedErrors(scope, 'fastcgi'),
  });
  const indexRoute = passing(
    [rewriteTo(`{http.request.uri.path}${expandText(index?.args[0] ?? '', { site, scope, at: directive })}`)],
    [{ path_regexp: { pattern: '/$' } }],
  );
  return [
    ...(index === undefined ? [] : [indexRoute]),
    ...bodyRoutes(scope),
    terminal([...responseHandlers(site, scope), ...bodyHandlers(scope), handler]),
  ];
}

function groupOf(site: Site, scope: Scope, directive: Directive): Group {
  const text = argument(directive, 0, 'an address');
  const named = site.adaptation.upstreams.get(text);
  if (named !== undefined) return translateGroup(site.adaptation, named, 'fastcgi');
  const address = expandText(text, { site, scope, at: directive });
  return singleServer(address.startsWith('unix:') ? `unix/${address.slice(5)}` : address);
}

/** Returns the extension after which `fastcgi_split_path_info` splits the path: `.php` for `^(.+\.php)(/.+)$`. */
function splitOf(site: Site, directive: Directive): string {
  const expression = argument(directive, 0, 'a regular expression');
  const extension = /\\(\.\w+)/.exec(expression)?.[1];
  if (extension === undefined)
    site.adaptation.warn(
      directive,
      `${expression} has no extension such as \\.php: paths are split after the first .php`,
    );
  return extension ?? '.php';
}

/** Returns the FastCGI parameters that differ from the defaults or have no default. */
function environmentOf(site: Site, scope: Scope): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const directive of scope.all('fastcgi_param')) {
    const name = argument(directive, 0, 'a name and a value');
    const value = argument(directive, 1, 'a value after the name');
    // If `fastcgi_split_path_info` is missing, `$path_info` is a variable that the nginx configuration sets itself.
    const isOwn = value === '$path_info' && scope.find('fastcgi_split_path_info') === undefined;
    if (!isOwn && defaultParameters.has(`${name} ${value}`)) continue;
    if (directive.args[2] === 'if_not_empty' && variablesOf(value).length > 0)
      site.adaptation.warn(directive, `if_not_empty is not supported; scripts receive ${name} even if it is empty`);
    environment[name] = expandText(value, { site, scope, at: directive });
  }
  return environment;
}
