/** `http.handlers.count_visits`: tells each visitor its number, counted over all threads. */
import { defineModule, httpHandlers, options, sharedCellsToken, string, type HttpHandler } from '@sluice/module';

/** `{"handler": "count_visits", "counter": "front page"}` */
export const countVisitsModule = defineModule(httpHandlers, {
  name: 'count_visits',
  help: 'Tells each visitor its number.',
  config: options({ counter: string('Name of the counter.', { default: 'all' }) }),
  provision({ counter }, context): HttpHandler {
    // A variable here would exist once in each thread. A cell of one key is the same memory in all of them.
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
