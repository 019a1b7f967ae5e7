/** The `mirror-target` annotation: sends copies of requests to another server. */
import type { JsonObject } from '@sluice/base';
import { literal } from '../../../common/text.ts';
import type { IngressScope } from '../scope.ts';
import { expanded } from './redirects.ts';
import { urlTargetOf } from './url-target.ts';

const originalUri = '{http.request.orig_uri}';

/**
 * Returns the mirror handler, which runs after access control. Clients never wait for mirrored requests, so an invalid target does not
 * cause the Ingress to be refused.
 */
export function mirrorHandlers({ annotations }: IngressScope): readonly JsonObject[] {
  const text = annotations.text('mirror-target');
  const target = text === undefined ? null : urlTargetOf(text);
  if (target === null) {
    if (text !== undefined) annotations.warn('mirror-target', 'expected a URL whose host contains no variables');
    return [];
  }
  const { authority, uri, upstream } = target;
  const host = annotations.text('mirror-host');
  const copiesBodies = annotations.flag('mirror-request-body') !== false;
  if (!copiesBodies) annotations.warn('mirror-request-body', 'requests with a body are not mirrored');
  return [
    {
      handler: 'mirror',
      ...upstream,
      ...(copiesBodies ? {} : { max_body_size: 0 }),
      headers: {
        request: {
          set: { Host: [host === undefined ? literal(authority) : expanded('mirror-host', host, annotations)] },
        },
      },
      rewrite: { uri: uri === '' ? originalUri : expanded('mirror-target', uri, annotations) },
    },
  ];
}
