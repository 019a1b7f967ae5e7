import { connect } from 'node:net';
import { readMessage, type Kind, type Message } from './message.ts';
import type { Pair } from './pair.ts';

/** Response timeout in milliseconds. */
const timeout = 5000;

/** The response as received by the client. */
export interface Heard {
  readonly interim: readonly Message[];
  /** The parsed response, or `null` if no complete head arrived. */
  readonly response: Message | null;
  /** Outcome of the exchange: the response was complete, the connection closed early, or no more bytes arrived before the timeout. */
  readonly ending: 'complete' | 'cut' | 'silence';
}

/** Sends the client request of a test pair to a port. */
export function ask(port: number, pair: Pair): Promise<Heard> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const settle = (ending: Heard['ending'] | null, ended: boolean): void => {
      const heard = readAll(bytes, pair.method, ended);
      if (ending === null && heard.response?.complete !== true) return;
      clearTimeout(timer);
      socket.removeAllListeners('close');
      socket.destroy();
      resolve({ ...heard, ending: heard.response?.complete === true ? 'complete' : (ending ?? 'cut') });
    };
    const timer = setTimeout(() => settle('silence', false), timeout);
    socket.on('error', () => undefined);
    socket.on('close', () => settle('cut', true));
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      settle(null, false);
    });
    socket.write(pair.request, 'latin1');
  });
}

function readAll(bytes: Buffer, method: string, ended: boolean): Omit<Heard, 'ending'> {
  const interim: Message[] = [];
  for (let at = 0; ;) {
    const status = Number(bytes.toString('latin1', at + 9, at + 12));
    const message = readMessage(bytes, at, kindOf(status, method), ended);
    if (message === null || status >= 200 || status === 101) return { interim, response: message };
    interim.push(message);
    at = message.end;
  }
}

function kindOf(status: number, method: string): Kind {
  return method === 'HEAD' || status < 200 || status === 204 || status === 304 ? 'bodiless' : 'response';
}
