/** Handlers of responses as `intercept`. */
import type { WriteDirective } from '@sluice/caddyfile';
import { responseLines } from '../reverse_proxy/inverse.ts';

/** `intercept { … }` */
export const intercept: WriteDirective = async (handler, writer) => ({
  block: await responseLines(handler['handle_response'], writer),
});
