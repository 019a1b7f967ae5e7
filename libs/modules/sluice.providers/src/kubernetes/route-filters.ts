/** Filters and backends in rules of Gateway API routes. */
import type { ObjectReference } from './object-reference.ts';

export interface HeaderModifier {
  readonly set?: readonly { readonly name: string; readonly value: string }[];
  readonly add?: readonly { readonly name: string; readonly value: string }[];
  readonly remove?: readonly string[];
}

export interface PathModifier {
  readonly type: string;
  readonly replaceFullPath?: string;
  readonly replacePrefixMatch?: string;
}

export interface CorsFilter {
  readonly allowOrigins?: readonly string[];
  readonly allowCredentials?: boolean;
  readonly allowMethods?: readonly string[];
  readonly allowHeaders?: readonly string[];
  readonly exposeHeaders?: readonly string[];
  readonly maxAge?: number;
}

export interface RouteFilter {
  readonly type: string;
  readonly requestHeaderModifier?: HeaderModifier;
  readonly responseHeaderModifier?: HeaderModifier;
  readonly requestRedirect?: {
    readonly scheme?: string;
    readonly hostname?: string;
    readonly path?: PathModifier;
    readonly port?: number;
    readonly statusCode?: number;
  };
  readonly cors?: CorsFilter;
  readonly urlRewrite?: { readonly hostname?: string; readonly path?: PathModifier };
  readonly requestMirror?: RequestMirror;
}

/** Mirror filter. At most one of `percent` and `fraction` is set. By default, all requests are mirrored. */
export interface RequestMirror {
  readonly backendRef: BackendReference;
  readonly percent?: number;
  readonly fraction?: { readonly numerator: number; readonly denominator?: number };
}

export interface BackendReference extends ObjectReference {
  readonly port?: number;
  readonly weight?: number;
  readonly filters?: readonly RouteFilter[];
}
