/** Lint check SL001. */
import { caddyfile, defineLint } from '@sluice/registry';
import { nameOf, reportDead } from '../dead-reports.ts';
import { isGuard } from '../guards.ts';
import { deadIn } from '../reach/walk.ts';

export const routeAfterEnd = defineLint({
  code: 'SL001',
  name: 'route-after-end',
  severity: 'warning',
  summary: 'A route or a handler is unreachable, because an earlier one handles every request.',
  details: `Routes run in order. A route without matchers handles every request; if it responds or is \`terminal\`, the routes after it are unreachable. The same applies to the handlers of one route. Move the unreachable part before the route or handler that responds, or remove it.`,
  bad: caddyfile(`:8080 {
	route {
		respond "hello"
		respond /status "well"
	}
}
`),
  good: caddyfile(`:8080 {
	route {
		respond /status "well"
		respond "hello"
	}
}
`),
  async check(configuration, report) {
    await reportDead(
      configuration,
      report,
      ({ reason }) => reason === 'after end',
      ({ by }) => `unreachable: ${nameOf(by)} handles every request; move this route before it, or remove it`,
    );
    const { handlers } = await deadIn(configuration);
    for (const { handler, by } of handlers) {
      // Skip guards, because another check reports them.
      if (isGuard(handler)) continue;
      report(
        handler.path,
        `unreachable: the handler ${by.name} comes first and never calls the next handler; move this handler before ${by.name}`,
        {
          related: [{ path: by.path, message: 'the handler that responds' }],
        },
      );
    }
  },
});
