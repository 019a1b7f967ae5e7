/** Differences from nginx documented in docs/guide/from-nginx.md. They are removed before responses are compared. */
import type { Seen } from './ask.ts';

/** Configuration and request that produced a pair of responses. */
interface Asked {
  readonly text: string;
  readonly method: string;
  readonly target: string;
}

/** Makes two responses equal if the documentation lists all their differences. */
export function withoutDeclared(theirs: Seen, found: Seen, asked: Asked): readonly [theirs: Seen, ours: Seen] {
  const ours = withoutFoundType(theirs, found);
  if (failsOnAlias(theirs, ours, asked) || refusesPage(theirs, ours, asked)) return [theirs, theirs];
  if (keepsRedirect(theirs, ours, asked)) return [theirs, { ...ours, status: theirs.status }];
  // Directory listings have a different layout, so only their content is compared.
  if (isListing(theirs) && isListing(ours)) return [listing(theirs), listing(ours)];
  // In Sluice, redirects, queries and upstream requests preserve the escapes, slashes and dots that the client sent.
  const odd = /%2F|%62|\/\/|\/\.\.?\//i.test(asked.target);
  // Sluice escapes a value that is inserted into the query of a new path.
  const escaped = /\s(?:rewrite|try_files)\s[^;]*\?[^;]*\$/.test(asked.text);
  const [left, right] = odd || escaped ? [decoded(theirs), decoded(ours)] : [theirs, ours];
  return isGeneratedPage(left, right, asked) ? [left, likePage(left, right)] : [left, right];
}

/** Handles responses without a content type. Sluice detects the type from the first bytes, as Caddy does. */
export function withoutFoundType(theirs: Seen, ours: Seen): Seen {
  if ('content-type' in theirs.headers || ours.body === '') return ours;
  const { 'content-type': _found, ...headers } = ours.headers;
  return { ...ours, headers };
}

/** Handles locations with an alias. nginx fails if `rewrite … break` moves the path outside the alias. */
function failsOnAlias(theirs: Seen, ours: Seen, { text }: Asked): boolean {
  const fails = theirs.status === 500 && theirs.body === '' && !('x-status' in theirs.headers);
  return fails && ours.status < 500 && /\salias\s/.test(text) && /\srewrite\s[^;]*\sbreak;/.test(text);
}

/** Handles files configured with `error_page`. Sluice sends them for any method. */
function refusesPage(theirs: Seen, ours: Seen, { text, method }: Asked): boolean {
  const named = /\serror_page\s[^;]*@/.test(text);
  return named && theirs.status === 405 && ours.status >= 400 && ours.status !== 405 && !/^(?:GET|HEAD)$/.test(method);
}

/** Handles upstream redirects as error pages. The redirect keeps its status even if `error_page` sets another status. */
function keepsRedirect(theirs: Seen, ours: Seen, { text }: Asked): boolean {
  const isRedirect = ours.status >= 300 && ours.status < 400 && 'location' in ours.headers;
  return isRedirect && new RegExp(String.raw`\serror_page\s[^;]*=${theirs.status}\s`).test(text);
}

/** Reports whether a response is a generated error page. Generated pages have the same headers as normal responses. */
function isGeneratedPage(theirs: Seen, ours: Seen, { text, method }: Asked): boolean {
  if (theirs.status < 400 || theirs.body !== ours.body || !/\serror_page\s/.test(text)) return false;
  return method === 'HEAD' || ours.body === '' || /"url":|^(?:named|fixed|\[)/.test(ours.body);
}

/** Handles the content type of an error page, which depends on the request target. */
function likePage(theirs: Seen, ours: Seen): Seen {
  const { 'content-type': type, ...headers } = withoutFields(ours.headers, theirs.headers);
  const same = type === undefined ? {} : { 'content-type': theirs.headers['content-type'] ?? type };
  return { ...ours, headers: { ...headers, ...same } };
}

function isListing({ status, headers, body }: Seen): boolean {
  return (
    status === 200 && headers['content-type']?.startsWith('text/html') === true && /<title>(?:Index of )?\//.test(body)
  );
}

function listing(seen: Seen): Seen {
  return { ...seen, headers: { ...seen.headers, 'content-type': 'text/html' }, body: '' };
}

function decoded({ headers, body, ...seen }: Seen): Seen {
  const { location } = headers;
  const decode = (text: string): string =>
    text
      .replaceAll(/%2F|%62/gi, (escape) => decodeURIComponent(escape))
      .replaceAll(/(?<![:/])\/{2,}/g, '/')
      .replaceAll(/\/\.\/|\/[\w-]+\/\.\.\//g, '/');
  return {
    ...seen,
    headers: location === undefined ? headers : { ...headers, location: decode(location) },
    body: /"url":|^index /.test(body) ? decode(body) : body,
  };
}

function withoutFields(ours: Seen['headers'], theirs: Seen['headers']): Seen['headers'] {
  return Object.fromEntries(
    Object.entries(ours).filter(([name]) => name in theirs || !/^(?:cache-control|x-(?:added|one|if))$/.test(name)),
  );
}
