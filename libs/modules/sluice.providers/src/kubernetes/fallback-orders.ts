/**
 * Order of the responses to requests that match no route of a port. Each port has a single response, even if Gateways
 * and Ingresses share it.
 */
export const fallbackOrders = { ingressBackend: '3', defaultBackend: '5', notFound: '9' } as const;
