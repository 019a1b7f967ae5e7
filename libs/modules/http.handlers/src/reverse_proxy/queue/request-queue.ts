/** Queue that creates its requests. A proxy without a queue doesn't load their code. */
import type { LimitedUpstream, PlaceSeeker } from './place-seeker.ts';
import { QueuedRequest } from './queued-request.ts';
import { UpstreamQueue } from './upstream-queue.ts';

export class RequestQueue extends UpstreamQueue {
  /** Creates a request that has already waited `waited` milliseconds. */
  request<U extends LimitedUpstream>(seeker: PlaceSeeker<U>, waited: number): QueuedRequest<U> {
    return new QueuedRequest(this, seeker, waited);
  }
}
