/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  Lease: 'A right that one holder has for a time, for example to lead.',
  LeaseSpec: 'Who holds the lease, and until when.',
  'LeaseSpec.holderIdentity': 'Who holds it. Empty when nobody does.',
  'LeaseSpec.leaseDurationSeconds': 'How long after the last renewal others must wait to take it.',
  'LeaseSpec.acquireTime': 'When the holder got it.',
  'LeaseSpec.renewTime': 'When the holder last renewed it.',
  'LeaseSpec.leaseTransitions': 'How often the holder has changed.',
  'LeaseSpec.strategy': 'How a new holder is chosen, when a coordinator chooses.',
  'LeaseSpec.preferredHolder': 'Who the holder should hand it to.',
});
