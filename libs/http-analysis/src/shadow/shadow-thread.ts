/** Contract of the service that runs shadows outside of the control thread. */
import { token, type Token } from '@sluice/registry';
import type { ShadowReport, ShadowRequest, ShadowTask, LeftOut } from './types.ts';

/** Requests that arrive while a shadow runs. */
export type LiveRequest = ShadowRequest | LeftOut;

/** Runs one shadow at a time. */
export interface ShadowThread {
  /**
   * Runs a shadow. `listen` subscribes to live requests; its result ends the subscription. Rejects with status 503 if another shadow runs.
   */
  run(task: ShadowTask, listen: (take: (request: LiveRequest) => void) => () => void): Promise<ShadowReport>;
}

export const shadowThreadToken: Token<ShadowThread> = token<ShadowThread>('shadow-thread');
