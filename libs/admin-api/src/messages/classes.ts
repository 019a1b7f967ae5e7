/** Request and response classes of the admin API for Node's HTTP servers. */
import type { RequestListener, Server } from 'node:http';
import { ApiRequest } from './request.ts';
import { ApiResponse } from './response.ts';

/** Server options that make Node's HTTP servers use the admin API's request and response classes. */
export const messages = { IncomingMessage: ApiRequest, ServerResponse: ApiResponse };

export type ApiListener = RequestListener<typeof ApiRequest, typeof ApiResponse>;
export type ApiServer = Server<typeof ApiRequest, typeof ApiResponse>;
