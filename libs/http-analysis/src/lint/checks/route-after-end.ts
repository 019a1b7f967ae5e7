/** SL001. */
import { caddyfile, defineLint } from '@sluice/registry';
import { nameOf, reportDead } from '../dead-reports.ts';
import { isGuard } from '../guards.ts';
import { deadIn } from '../reach/walk.ts';

export const routeAfterEnd = defineLint({
  code: 'SL001',
  name: 'route-after-end',
  severity: 'warning',
  summary: 'A route or handler follows one that handles every request.',
  details: `Routes are asked in order. One without matchers takes every request; if its handlers respond, or it is \`terminal\`, those
after it are never asked. The same holds for handlers in the list of one route. Move what should run before, or remove it.`,
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
      ({ by }) => `is never run: ${nameOf(by)} before it takes every request; move this one before it, or remove it`,
    );
    const { handlers } = await deadIn(configuration);
    for (const { handler, by } of handlers) {
      // Guards have a check of their own.
      if (isGuard(handler)) continue;
      report(
        handler.path,
        `is never run: the handler ${by.name} before it passes nothing on; move this one before it`,
        {
          related: [{ path: by.path, message: 'the handler that ends' }],
        },
      );
    }
  },
});
