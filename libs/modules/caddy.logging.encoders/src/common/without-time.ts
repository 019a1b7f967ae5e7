/** Service that lets a host omit the time in human-readable log lines. */
import { token, type Token } from '@sluice/registry';

/** Service token for omitting the time. True if another program, such as the systemd journal, adds a time to each line. */
export const withoutTime: Token<boolean> = token<boolean>('log-lines-without-time');
