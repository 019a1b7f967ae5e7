/** Values that the app provides for its servers. */
import { token, type Token } from '@sluice/registry';

/** How long a server goes on before it stops, in milliseconds. */
export const shutdownDelayToken: Token<number> = token<number>('shutdown_delay');

/** How long requests in flight may go on when a listener is given up, in milliseconds; 0: as long as they want. */
export const gracePeriodToken: Token<number> = token<number>('grace_period');

/** Whether browsers get a page for errors that no route responds to. */
export const errorPagesToken: Token<boolean> = token<boolean>('error_pages');

export const httpPortToken: Token<number> = token<number>('http_port');

export const httpsPortToken: Token<number> = token<number>('https_port');
