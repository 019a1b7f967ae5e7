/** Expansion of nginx variables in annotation values. */
import { literal } from '../../../common/text.ts';

const placeholders: Readonly<Record<string, string>> = {
  args: '{http.request.orig_uri.query}',
  binary_remote_addr: '{http.vars.client_ip}',
  escaped_request_uri: '{http.request.uri_escaped}',
  host: '{http.request.host}',
  http_host: '{http.request.hostport}',
  is_args: '',
  query_string: '{http.request.orig_uri.query}',
  remote_addr: '{http.vars.client_ip}',
  remote_user: '{http.auth.user.id}',
  req_id: '{http.request.uuid}',
  request_id: '{http.request.uuid}',
  request_method: '{http.request.orig_method}',
  request_uri: '{http.request.orig_uri}',
  scheme: '{http.request.scheme}',
  server_name: '{http.request.host}',
  server_port: '{http.request.local.port}',
  ssl_client_s_dn: '{http.request.tls.client.subject}',
  uri: '{http.request.uri.path}',
};

/** Returns the placeholder for an nginx variable, or `null` if there is none. */
function placeholderOf(name: string): string | null {
  if (Object.hasOwn(placeholders, name)) return placeholders[name] ?? null;
  const [, kind = '', rest = ''] = /^(http|arg|cookie)_(\w+)$/.exec(name) ?? [];
  if (kind === 'http') return `{http.request.header.${rest.replaceAll('_', '-')}}`;
  if (kind === 'arg') return `{http.request.uri.query.${rest}}`;
  return kind === 'cookie' ? `{http.request.cookie.${rest}}` : null;
}

/**
 * Replaces nginx variables with placeholders. Escapes all other text, because other placeholders could read the server's files and
 * environment.
 */
export function expandVariables(text: string, onUnknown: (name: string) => void): string {
  let result = '';
  let from = 0;
  // In nginx, `$is_args$args` expands to a question mark and the query, or to an empty string.
  const combined = text.replaceAll(/\$\{?is_args\}?\$\{?args\}?/g, '${prefixed_query}');
  for (const match of combined.matchAll(/\$(?:\{(\w+)\}|(\w+))/g)) {
    const name = match[1] ?? match[2] ?? '';
    const placeholder = name === 'prefixed_query' ? '{http.request.orig_uri.prefixed_query}' : placeholderOf(name);
    if (placeholder === null) onUnknown(name);
    result += literal(combined.slice(from, match.index)) + (placeholder ?? '');
    from = match.index + match[0].length;
  }
  return result + literal(combined.slice(from));
}
