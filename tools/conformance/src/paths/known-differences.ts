/** Responses that differ by design, with the reasons from docs/differences.md. */

interface Difference {
  readonly reason: string;
  readonly routes: RegExp;
  readonly targets: RegExp;
}

const differences: readonly Difference[] = [
  {
    reason: 'a backslash in a path is kept; Caddy doubles it in the rest of a file path',
    routes: /^(?:matcher file|remainder|php site)/,
    targets: /%5c/,
  },
  {
    reason: 'a file name cannot contain NUL, even after the script: 400',
    routes: /^php site/,
    targets: /%00/,
  },
  {
    reason:
      'escaped dots count as dots even in patterns with escapes; in Caddy, `/x/%2e%2e/admin/y` does not match `/admin/%*`',
    routes: /^path escaped star$/,
    targets: /%2e/,
  },
  {
    reason: 'for scripts, the path `*` is relative to the root',
    routes: /^fastcgi/,
    targets: /^\*$/,
  },
];

/** Returns the reason why the responses may differ, or `null` if they must be equal. */
export function reasonFor(route: string, target: string): string | null {
  return differences.find(({ routes, targets }) => routes.test(route) && targets.test(target))?.reason ?? null;
}
