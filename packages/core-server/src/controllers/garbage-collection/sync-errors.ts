import { CounterFamily } from '@tributary/server/operations';

/** Counts failures of discovery and of lists in time, under upstream's name. */
export function syncErrorCounter(): CounterFamily {
  return new CounterFamily({
    name: 'garbagecollector_controller_resources_sync_error_total',
    help: 'Failures of the garbage collector to discover resources, or to list them in time',
  });
}
