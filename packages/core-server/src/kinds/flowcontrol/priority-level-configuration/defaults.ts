import type { PriorityLevelConfiguration } from '@tributary/api/flowcontrol-v1';

const SHARES = 30;
const QUEUING = { queues: 64, handSize: 8, queueLengthLimit: 50 };

export function defaultPriorityLevel({ spec }: PriorityLevelConfiguration): void {
  const { limited, exempt } = spec;
  if (limited !== undefined) {
    limited.nominalConcurrencyShares ??= SHARES;
    limited.lendablePercent ??= 0;
    const { queuing } = limited.limitResponse;
    if (queuing !== undefined) {
      queuing.handSize ||= QUEUING.handSize;
      queuing.queues ||= QUEUING.queues;
      queuing.queueLengthLimit ||= QUEUING.queueLengthLimit;
    }
  }
  if (exempt !== undefined) {
    exempt.nominalConcurrencyShares ??= 0;
    exempt.lendablePercent ??= 0;
  }
}
