/** How the threads that serve ask the control thread, which alone has the keys and the book. */
import type { ServerRequest, ServerResponse } from '@sluice/acme';
import { HttpError } from '@sluice/http-app';
import { question, type Question, type ThreadBus } from '@sluice/threads';

/** Responds to a request about ACME. */
export type Respond = (request: ServerRequest) => Promise<ServerResponse>;

/** How many questions of one thread may wait: more would only make the control thread busy. */
const most = 100;

/** The question to a server, by the hash of its options. */
export function serverQuestion(hash: string): Question<ServerRequest, ServerResponse> {
  return question<ServerRequest, ServerResponse>(`http.handlers.acme_server ${hash}`);
}

/** Asks the server in the control thread; status 503 while too many wait. */
export function askServer(bus: ThreadBus | undefined, about: Question<ServerRequest, ServerResponse>): Respond {
  let waiting = 0;
  return async (request) => {
    if (bus === undefined) throw new HttpError(500, 'acme_server needs a control thread, and this one has none');
    if (waiting >= most) throw new HttpError(503, 'too many requests about ACME wait for the control thread');
    waiting++;
    try {
      return await bus.ask(about, request);
    } finally {
      waiting--;
    }
  };
}
