/** Responses that differ by design, with the reasons from docs/differences.md. */

interface Difference {
  readonly reason: string;
  readonly routes: RegExp;
  readonly targets: RegExp;
}

const differences: readonly Difference[] = [
  {
    reason: 'a backslash in the path stays one: the reference writes two in the remainder of a file',
    routes: /^(?:matcher file|remainder|php site)/,
    targets: /%5c/,
  },
  {
    reason: 'NUL is in no name of a file, also after the script: 400',
    routes: /^php site/,
    targets: /%00/,
  },
  {
    reason:
      'escaped dots are dots also for patterns with escapes: the reference lets `/x/%2e%2e/admin/y` past `/admin/%*`',
    routes: /^path escaped star$/,
    targets: /%2e/,
  },
  {
    reason: 'the path `*` is one from the root for scripts',
    routes: /^fastcgi/,
    targets: /^\*$/,
  },
];

/** Returns the reason why a response may differ, or `null` if it must not. */
export function reasonFor(route: string, target: string): string | null {
  return differences.find(({ routes, targets }) => routes.test(route) && targets.test(target))?.reason ?? null;
}
