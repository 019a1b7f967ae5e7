/** `/stop`: a graceful end of the process. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { guarded, taskOf } from '@sluice/base';
import { methodOf } from '../call.ts';
import { requestError } from '../errors.ts';
import { answerEmpty } from '../http/answer.ts';
import type { ApiOptions } from './changes.ts';

/** Answers first, and then ends the process. */
export function handleStop(request: IncomingMessage, response: ServerResponse, { onStop, log }: ApiOptions): void {
  if (methodOf(request) !== 'POST') throw requestError('method not allowed', 405);
  log.info('stopping, as a client of the admin API asked for');
  response.on('close', guarded(taskOf('admin'), onStop));
  response.setHeader('Connection', 'close');
  answerEmpty(response);
}
