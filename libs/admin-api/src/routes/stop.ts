/** Implements `POST /stop`, which stops the process gracefully. */
import { guarded, taskOf } from '@sluice/base';
import type { AdminRouter } from '@sluice/registry';
import { sendEmpty } from '../http/send.ts';
import type { ApiOptions } from '../api-options.ts';

/** Adds `POST /stop`. Sends the response before stopping the process. */
export function addStopRoute(router: AdminRouter, { onStop, log }: ApiOptions): void {
  router.post('/stop', (_request, response) => {
    log.info('shutdown requested through the admin API');
    response.on('close', guarded(taskOf('admin'), onStop));
    response.setHeader('Connection', 'close');
    sendEmpty(response);
  });
}
