import { manifest, type Script } from '../script.ts';

const TIME = '2020-01-02T03:04:05Z';
const event = (name: string, rest: object = {}): object =>
  manifest(
    'Event',
    {
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'lit', namespace: 'NAMESPACE' },
      reason: 'Tested',
      message: 'it was tested',
      type: 'Normal',
      source: { component: 'tester' },
      firstTimestamp: TIME,
      lastTimestamp: TIME,
      count: 3,
      ...rest,
    },
    name,
  );
const newEvent = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name: 'new' },
  eventTime: '2020-01-02T03:04:05.000000Z',
  reportingController: 'example.com/tester',
  reportingInstance: 'tester-1',
  action: 'Testing',
  reason: 'Tested',
  regarding: { apiVersion: 'v1', kind: 'ConfigMap', name: 'lit', namespace: 'NAMESPACE' },
  note: 'it was tested again',
  type: 'Warning',
};

export const events: Script = {
  name: 'events',
  steps: [
    { run: 'create -f -', input: event('one') },
    { run: 'create -f -', input: event('two', { type: 'Warning', count: 1, source: {} }) },
    { run: 'create -f -', input: newEvent },
    { run: 'create -f -', input: { ...newEvent, metadata: { name: 'bad' }, type: 'X' } },
    { run: 'get events --sort-by=.metadata.name' },
    { run: 'get ev one' },
    { run: 'get events --sort-by=.metadata.name -o wide' },
    { run: 'get event one -o yaml' },
    { run: 'get events.events.k8s.io new -o yaml' },
    { run: 'get events.events.k8s.io one new -o wide' },
    { run: 'get events.v1. new -o yaml' },
    { run: 'get events --field-selector type=Warning -o name' },
    { run: 'get events --field-selector involvedObject.name=lit,reason=Tested -o name' },
    { run: 'get events.events.k8s.io --field-selector regarding.kind=ConfigMap -o name' },
    { run: 'get events --field-selector nope=1' },
    { run: 'get events -A --field-selector involvedObject.namespace=NAMESPACE,type=Normal' },
    { run: 'describe event one' },
    { run: 'create configmap lit --from-literal=a=1' },
    { run: 'describe cm lit' },
    { run: 'events', since: '1.26' },
    { run: 'events --for=configmap/lit --types=Warning', since: '1.26' },
    { run: ['patch', 'event', 'one', '-p', '{"message":"changed"}'] },
    { run: 'get event one -o jsonpath={.message}' },
    { run: 'delete event one' },
    { run: 'delete events --all' },
  ],
};
