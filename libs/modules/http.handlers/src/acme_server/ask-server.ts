/** Forwards ACME requests from traffic threads to the control thread, which has the keys and the ACME state. */
import type { ServerRequest, ServerResponse } from '@sluice/acme';
import { HttpError } from '@sluice/http-app';
import { question, type Question, type ThreadBus } from '@sluice/threads';

export type Respond = (request: ServerRequest) => Promise<ServerResponse>;

/** Maximum number of pending requests per thread. The limit protects the control thread from overload. */
const maxQuestions = 100;

/** Returns the message type for requests to an ACME server. The name of the type contains a hash of the server's options. */
export function serverQuestion(hash: string): Question<ServerRequest, ServerResponse> {
  return question<ServerRequest, ServerResponse>(`http.handlers.acme_server ${hash}`);
}

/** Forwards a request to the control thread. Responds with status 503 if too many requests are pending. */
export function askServer(bus: ThreadBus | undefined, about: Question<ServerRequest, ServerResponse>): Respond {
  let waiting = 0;
  return async (request) => {
    if (bus === undefined)
      throw new HttpError(500, 'acme_server requires a control thread, which is not available here');
    if (waiting >= maxQuestions) throw new HttpError(503, 'too many ACME requests are waiting for the control thread');
    waiting++;
    try {
      return await bus.ask(about, request);
    } finally {
      waiting--;
    }
  };
}
