export { gateway } from './gateway/gateway.ts';
export { gatewayFlags } from './gateway/gateway-flags.ts';
export { annotations } from './registrations/registration.ts';
export { runStandalone } from './standalone/run.ts';
