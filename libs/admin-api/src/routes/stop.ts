/** Implements `POST /stop`, which stops the process gracefully. */
import { guarded, taskOf } from '@sluice/base';
import type { AdminRouter } from '@sluice/registry';
import { sendEmpty } from '../http/send.ts';
import type { ApiOptions } from '../api-options.ts';

/** Adds `POST /stop`. Sends the response before stopping the process. */
export function addStopRoute(router: AdminRouter, { onStop, log }: ApiOptions): void {
  router.post('/stop', (_request, response) => {
    log.info('stopping on request of an admin API client');
    response.on('close', guarded(taskOf('admin'), onStop));
    response.setHeader('Connection', 'close');
    sendEmpty(response);
  });
}
