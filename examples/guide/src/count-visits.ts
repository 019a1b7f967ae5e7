/** `http.handlers.count_visits`: responds with a visitor number that is unique across threads. */
import { defineModule, httpHandlers, options, sharedCellsToken, string, type HttpHandler } from '@sluice/module';

/** `{"handler": "count_visits", "counter": "front page"}` */
export const countVisitsModule = defineModule(httpHandlers, {
  name: 'count_visits',
  help: 'Responds with the visitor number.',
  config: options({ counter: string('Counter name.', { default: 'all' }) }),
  provision({ counter }, context): HttpHandler {
    // A variable would exist once per thread. A cell with the same key is shared by all threads.
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
