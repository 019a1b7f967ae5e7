/**
 * Sort keys for the fallback responses of a port. A fallback response is sent when no route matches. Each port has one fallback, even if
 * Gateways and Ingresses share the port.
 */
export const fallbackOrders = { ingressBackend: '3', defaultBackend: '5', notFound: '9' } as const;
