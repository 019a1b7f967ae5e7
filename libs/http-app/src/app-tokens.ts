/** Tokens for values that the `http` app provides for its servers. */
import { token, type Token } from '@sluice/registry';

/** Time that a server continues to run before it shuts down, in milliseconds. */
export const shutdownDelayToken: Token<number> = token<number>('shutdown_delay');

/** Maximum time in milliseconds for requests in flight to finish after their listener has closed. 0 means no limit. */
export const gracePeriodToken: Token<number> = token<number>('grace_period');

/** True to send HTML error pages to browsers for errors that no route handles. */
export const errorPagesToken: Token<boolean> = token<boolean>('error_pages');

export const httpPortToken: Token<number> = token<number>('http_port');

export const httpsPortToken: Token<number> = token<number>('https_port');
