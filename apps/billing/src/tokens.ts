/** Injection token of the `ServiceClients` with which billing asks others, beside the parts of every service. */
export const SERVICE_CLIENTS = Symbol('clients of the services that billing asks');
