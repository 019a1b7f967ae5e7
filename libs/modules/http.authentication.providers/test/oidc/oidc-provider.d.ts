/** The parts of the package that the tests use; it has no type declarations. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Account {
    readonly accountId: string;
    claims(): Readonly<Record<string, unknown>>;
  }

  interface RequestContext {
    readonly oidc: {
      readonly client: { readonly clientId: string };
      readonly session: { readonly accountId: string };
      readonly provider: Provider;
      readonly params: { readonly scope: string };
    };
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export class Provider {
    readonly Grant: new (of: { clientId: string; accountId: string }) => Grant;
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }

  export type LoadGrant = (context: RequestContext) => Promise<Grant>;
}
