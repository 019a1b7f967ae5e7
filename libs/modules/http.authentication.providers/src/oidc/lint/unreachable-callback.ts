/** Lint check SL070. */
import { isObject, listAt, own, type Json } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';
import { defaultRedirect, defaultSignOut } from '../options.ts';
import { enclosingRoutes, textOf } from './enclosing-routes.ts';

export const unreachableCallback = defineLint({
  code: 'SL070',
  name: 'unreachable-callback',
  severity: 'error',
  summary: 'The route of an OpenID sign-in does not match its callback or sign-out path.',
  details: `The provider redirects browsers to the callback path. If the route with \`oidc\` does not match this path, no sign-in ever completes. Add the path to the matcher, or set \`redirect_uri\` to a path that it matches. The same applies to \`sign_out_path\`.`,
  bad: caddyfile(`app.example.com {
	oidc /private/* {
		issuer https://id.example.com
		client_id app
	}
	respond "hello"
}
`),
  good: caddyfile(`app.example.com {
	@private path /private/* /oauth2/*
	oidc @private {
		issuer https://id.example.com
		client_id app
	}
	respond "hello"
}
`),
  check(configuration, report) {
    for (const { node, path } of configuration.modulesOf('http.authentication.providers.oidc')) {
      const redirect = textOf(node, 'redirect_uri') || defaultRedirect;
      const callback = URL.canParse(redirect) ? new URL(redirect).pathname : redirect;
      const routes = enclosingRoutes(configuration, path);
      for (const [key, target] of [
        ['redirect_uri', callback],
        ['sign_out_path', textOf(node, 'sign_out_path') || defaultSignOut],
      ] as const)
        if (routes.some(({ route }) => neverMatches(own(route, 'match'), target)))
          report(
            [...path, key],
            `is ${target}, which the route does not match: add the path to the matcher, or set ${key} to a path that it matches`,
          );
    }
  },
});

/** Reports whether a path can never match: every matcher set has a path matcher, and none of these matches the path. */
function neverMatches(match: Json | undefined, path: string): boolean {
  const sets = listAt({ match: match ?? null }, ['match']);
  return sets.length > 0 && sets.every((set) => excludes(set, path));
}

function excludes(set: Json, path: string): boolean {
  const patterns = isObject(set) ? own(set, 'path') : undefined;
  if (!Array.isArray(patterns)) return false;
  return patterns.every((pattern) => typeof pattern === 'string' && !mayMatch(pattern, path));
}

/** Reports whether a pattern may match a path. Placeholders and wildcards before the end of the pattern are assumed to match anything. */
function mayMatch(pattern: string, path: string): boolean {
  const prefix = pattern.replace(/\*$/, '').toLowerCase();
  if (/[*{?[\\%]/.test(prefix)) return true;
  return pattern.endsWith('*') ? path.toLowerCase().startsWith(prefix) : path.toLowerCase() === prefix;
}
