/** `/stop`: a graceful end of the process. */
import { guarded, taskOf } from '@sluice/base';
import type { AdminRouter } from '@sluice/registry';
import { sendEmpty } from '../http/send.ts';
import type { ApiOptions } from '../api-options.ts';

/** Adds `POST /stop`: responds first, and then ends the process. */
export function addStopRoute(router: AdminRouter, { onStop, log }: ApiOptions): void {
  router.post('/stop', (_request, response) => {
    log.info('stopping, requested through the admin API');
    response.on('close', guarded(taskOf('admin'), onStop));
    response.setHeader('Connection', 'close');
    sendEmpty(response);
  });
}
