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

export const scripts: readonly Script[] = [
  discovery,
  namespaces,
  configmaps,
  secrets,
  services,
  endpoints,
  serviceAccounts,
  events,
  leases,
  rbac,
  access,
  certificates,
  flowControl,
  applying,
];
