/** Request and response classes for Node's servers. */
import type { RequestListener, Server } from 'node:http';
import { ApiRequest } from './request.ts';
import { ApiResponse } from './response.ts';

/** Server options: requests and responses are the admin API classes. */
export const messages = { IncomingMessage: ApiRequest, ServerResponse: ApiResponse };

export type ApiListener = RequestListener<typeof ApiRequest, typeof ApiResponse>;
export type ApiServer = Server<typeof ApiRequest, typeof ApiResponse>;
