/** Request class of the admin API. */
import { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import type { AdminRequest } from '@sluice/registry';
import { authorityOf, isConfinedCall, targetOf } from '../call.ts';

/** An admin request as route handlers receive it. The router adds the path parameters. */
export class ApiRequest extends IncomingMessage implements AdminRequest {
  declare readonly params: object;
  declare readonly originalUrl: string;
  declare body?: Buffer;

  get path(): string {
    return targetOf(this).path;
  }

  get query(): AdminRequest['query'] {
    const [query] = targetOf(this).query.slice(1).split('#', 1);
    return parse(query ?? '');
  }

  get by(): string | null {
    return authorityOf(this).name;
  }

  get confined(): boolean {
    return isConfinedCall(this);
  }

  get(name: string): string | undefined {
    return this.headers[name.toLowerCase()]?.toString();
  }
}
