/** Interface of the service that performs shadow runs outside the control thread. */
import { token, type Token } from '@sluice/registry';
import type { ShadowReport, ShadowRequest, ShadowTask, LeftOut } from './types.ts';

/** A request that arrives during a shadow run. */
export type LiveRequest = ShadowRequest | LeftOut;

/** Performs shadow runs one at a time. */
export interface ShadowThread {
  /**
   * Performs a shadow run. `listen` subscribes to live requests, and returns a function that unsubscribes. Rejects with status 503 if
   * another shadow run is in progress.
   */
  run(task: ShadowTask, listen: (take: (request: LiveRequest) => void) => () => void): Promise<ShadowReport>;
}

export const shadowThreadToken: Token<ShadowThread> = token<ShadowThread>('shadow-thread');
