/** `kubectl get -w` of what a control plane itself changes, and of events. */
import type { Scenario, Step } from '../../scenario.ts';
import { manifest } from '../script.ts';
import { UNSCOPED } from './namespaces.ts';

const event = (name: string, message: string): Step => ({
  run: 'create -f -',
  input: manifest(
    'Event',
    {
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: 'NAMESPACE' },
      type: 'Normal',
      reason: 'Tested',
      message,
      lastTimestamp: new Date().toISOString().replace(/\.\d+/, ''),
    },
    name,
  ),
  stdout: `event/${name} created`,
});

export const coreWatching: readonly Scenario[] = [
  {
    name: 'get events -w',
    play: async ({ step, start }) => {
      await step(event('one', 'it began'));
      const watch = await start('get events -w');
      await watch.waitForLog(
        /^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n\S+ +Normal +Tested +configmap\/a +it began\n/,
      );
      await step(event('two', 'it went on'));
      await watch.waitForLog(/^\S+ +Normal +Tested +configmap\/a +it went on$/m);
      await step({
        run: ['patch', 'event', 'two', '--type=merge', '-p', '{"message":"it ended"}'],
        stdout: 'event/two patched',
      });
      await watch.waitForLog(/^\S+ +Normal +Tested +configmap\/a +it ended$/m);
    },
  },
  {
    name: 'events -w',
    since: ['1.26', 'kubectl events'],
    play: async ({ step, start }) => {
      await step(event('one', 'it began'));
      const watch = await start('events --for=configmap/a -w');
      await watch.waitForLog(/^\S+ +Normal +Tested +ConfigMap\/a +it began$/m);
      await step(event('two', 'it went on'));
      await watch.waitForLog(/^\S+(?: \(.*\))? +Normal +Tested +ConfigMap\/a +it went on$/m);
    },
  },
  {
    name: 'get namespaces -w shows one going',
    play: async ({ step, start }) => {
      const watch = await start(
        'get ns -w --output-watch-events -l kubernetes.io/metadata.name=NAMESPACE-x',
      );
      await step({ run: 'create ns NAMESPACE-x', stdout: 'namespace/NAMESPACE-x created' });
      await watch.waitForLog(/^ADDED +\S+ +Active +\d+s$/m);
      await step({
        run: 'delete ns NAMESPACE-x',
        stdout: 'namespace "NAMESPACE-x" deleted',
        stderr: UNSCOPED,
      });
      await watch.waitForLog(/^MODIFIED +\S+ +Terminating +\d+s$/m);
      await watch.waitForLog(/^DELETED +\S+ +Terminating +\d+s$/m);
    },
  },
  {
    name: 'get -w of ConfigMaps by field, as JSONPath',
    play: async ({ step, start }) => {
      const watch = await start(
        'get cm -w --field-selector=metadata.name=a -o jsonpath={.metadata.name}={.data.x};',
      );
      await step({
        run: 'create cm a --from-literal=x=1',
        stdout: 'configmap/a created',
      });
      await watch.waitForLog(/a=1;/);
      await step({
        run: ['patch', 'cm', 'a', '-p', '{"data":{"x":"2"}}'],
        stdout: 'configmap/a patched',
      });
      await watch.waitForLog(/a=2;/);
    },
  },
];
