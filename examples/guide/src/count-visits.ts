/** `http.handlers.count_visits`: responds with the visit number, which is unique across threads. */
import { defineModule, httpHandlers, options, sharedCellsToken, string, type HttpHandler } from '@sluice/module';

/** Example: `{"handler": "count_visits", "counter": "front page"}` */
export const countVisitsModule = defineModule(httpHandlers, {
  name: 'count_visits',
  help: 'Responds with the visitor number.',
  config: options({ counter: string('Counter name.', { default: 'all' }) }),
  provision({ counter }, context): HttpHandler {
    // Use a shared cell, because a variable would exist once per thread. All threads share the cells with the same key.
    const cell = context.use(sharedCellsToken).acquire(`count_visits ${counter ?? 'all'}`);
    context.onDispose(() => cell.release());
    return {
      handle({ response }) {
        response.headers.set('content-type', 'text/plain; charset=utf-8');
        response.end(`You are visitor ${cell.add(0, 1)}.\n`);
      },
    };
  },
});
