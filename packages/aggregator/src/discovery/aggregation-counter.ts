import { CounterFamily } from '@tributary/server/operations';

/** Counts merges of the group lists, under upstream's name. */
export function aggregationCounter(): CounterFamily {
  return new CounterFamily({
    name: 'aggregator_discovery_aggregation_count_total',
    help: 'How often the discovery documents of all groups were put together',
  });
}
