/** Implements `POST /upgrade`, which replaces this process with the currently installed version of Sluice. */
import { isSluiceError, messageOf } from '@sluice/base';
import type { AdminRouter } from '@sluice/registry';
import { RequestError } from '../errors.ts';
import { sendJson } from '../http/send.ts';
import type { ApiOptions } from '../api-options.ts';

/** Adds `POST /upgrade`. Responds with the new PID once the new process serves requests. */
export function addUpgradeRoute(router: AdminRouter, { onUpgrade, log }: ApiOptions): void {
  if (onUpgrade === undefined) return;
  router.post('/upgrade', async (_request, response) => {
    log.info('upgrade requested through the admin API');
    try {
      const pid = await onUpgrade();
      response.setHeader('Connection', 'close');
      sendJson(response, 200, { pid });
    } catch (error) {
      if (!isSluiceError(error)) throw error;
      throw new RequestError(error.code, messageOf(error), { status: error.status });
    }
  });
}
