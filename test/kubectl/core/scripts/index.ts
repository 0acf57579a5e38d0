import type { Script } from '../script.ts';
import { access } from './access.ts';
import { applying } from './applying.ts';
import { certificates } from './certificates.ts';
import { configmaps } from './configmaps.ts';
import { discovery } from './discovery.ts';
import { endpoints } from './endpoints.ts';
import { events } from './events.ts';
import { flowControl } from './flow-control.ts';
import { leases } from './leases.ts';
import { namespaces } from './namespaces.ts';
import { rbac } from './rbac.ts';
import { secrets } from './secrets.ts';
import { serviceAccounts } from './service-accounts.ts';
import { services } from './services.ts';

/** Every command of kubectl at least once, and the kinds that it treats in a way of their own. */
export const everydayScripts: readonly Script[] = [
  discovery,
  configmaps,
  services,
  access,
  applying,
];

/** The same commands about other kinds, whose responses interop/core compares request by request. */
export const otherScripts: readonly Script[] = [
  namespaces,
  secrets,
  endpoints,
  serviceAccounts,
  events,
  leases,
  rbac,
  certificates,
  flowControl,
];

export const scripts: readonly Script[] = [...everydayScripts, ...otherScripts];
