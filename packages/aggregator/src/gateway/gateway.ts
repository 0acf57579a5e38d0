import type { CoreAddition } from '@tributary/core-server';
import { gatewayFlags } from './gateway-flags.ts';

/** The aggregator as a part of the control plane's program. */
export const gateway: CoreAddition<typeof gatewayFlags> = {
  summary: 'A Kubernetes control plane with an API aggregator, in one process.',
  flags: gatewayFlags,
  prepare: async () => ({
    extend: () => ({
      apis: [],
      routes: [],
      start: async () => {},
      close: async () => {},
    }),
    started: async () => [],
    [Symbol.asyncDispose]: async () => {},
  }),
};
