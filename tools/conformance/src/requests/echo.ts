/** The last handler of most routes. It responds with the request as received by the handler. */

/** Placeholders to report in the response, one value per line. */
const reported: readonly string[] = [
  'http.request.method',
  'http.request.uri',
  'http.request.uri.path',
  'http.request.uri.path.dir',
  'http.request.uri.path.file',
  'http.request.uri.path.file.base',
  'http.request.uri.path.file.ext',
  'http.request.uri.path.0',
  'http.request.uri.query',
  'http.request.uri.query.a',
  'http.request.orig_uri',
  'http.request.hostport',
  'http.request.header.X-A',
  'http.request.header.X-B',
  'http.request.header.X-New',
  'http.request.header.Cookie',
  'http.vars.v',
];

/** Returns a handler that responds with the request as changed by previous handlers, and with the values of the given placeholders. */
export function echo(...more: readonly string[]): object {
  const body = [...reported, ...more].map((name) => `${name}=[{${name}}]`).join('\n');
  return { handler: 'static_response', status_code: 200, headers: { 'Content-Type': ['text/x-echo'] }, body };
}
