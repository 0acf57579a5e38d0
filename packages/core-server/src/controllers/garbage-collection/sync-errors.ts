import { CounterFamily } from '@tributary/server/operations';

/** How often the collector could not find out what is served, or list it in time, under upstream's name. */
export function syncErrorCounter(): CounterFamily {
  return new CounterFamily({
    name: 'garbagecollector_controller_resources_sync_error_total',
    help: 'Times that the garbage collector did not know what is served, or could not list it in time',
  });
}
