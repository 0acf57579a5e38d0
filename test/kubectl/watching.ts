/** `kubectl get -w`: rows of a Table as they come. */
import { create, flunder, type Scenario, type Step, said } from './scenario.ts';

const refer = (to: string): Step => ({
  run: ['patch', 'flunder', 'a', '--type=merge', '-p', `{"spec":{"flunderReference":"${to}"}}`],
  stdout: said('a', 'patched'),
});

export const watching: readonly Scenario[] = [
  {
    name: 'get -w',
    given: [flunder('a')],
    play: async ({ step, start }) => {
      const watch = await start('get flunders -w');
      await watch.waitForLog(/^NAME +REFERENCE +AGE\na +pond +\d+s\n/);
      await step(refer('lake'));
      await watch.waitForLog(/^a +lake +\d+s$/m);
      await step(create('b'));
      await watch.waitForLog(/^b +pond +\d+s$/m);
    },
  },
  {
    name: 'get -w --output-watch-events',
    given: [flunder('a')],
    play: async ({ step, start }) => {
      const watch = await start('get flunders -w --output-watch-events');
      await watch.waitForLog(/^EVENT +NAME +REFERENCE +AGE\nADDED +a +pond +\d+s\n/);
      await step(refer('lake'));
      await watch.waitForLog(/^MODIFIED +a +lake +\d+s$/m);
      await step({ run: 'delete flunder a', stdout: /"a" deleted/ });
      await watch.waitForLog(/^DELETED +a +lake +\d+s$/m);
    },
  },
  {
    name: 'get -w -l: what comes and goes by its labels',
    given: [flunder('a', { labels: { color: 'red' } })],
    play: async ({ step, start }) => {
      const watch = await start('get flunders -w -l color=red --output-watch-events -L color');
      await watch.waitForLog(/^ADDED +a +pond +\d+s +red$/m);
      await step(create('b'));
      await step({ run: 'label flunder b color=red', stdout: said('b', 'labeled') });
      await watch.waitForLog(/^ADDED +b +pond +\d+s +red$/m);
      await step({ run: 'label flunder a color=blue --overwrite', stdout: said('a', 'labeled') });
      await watch.waitForLog(/^DELETED +a +pond +\d+s +red$/m);
    },
  },
  {
    name: 'get -w of one, as JSONPath and as events in JSON',
    given: [flunder('a')],
    play: async ({ step, start }) => {
      const plain = await start(
        'get flunder a -w -o jsonpath={.metadata.name}={.spec.flunderReference};',
      );
      const events = await start('get flunders --watch-only --output-watch-events -o json');
      await plain.waitForLog(/a=pond;/);
      await step(refer('lake'));
      await plain.waitForLog(/a=lake;/);
      await step(refer('sea'));
      await plain.waitForLog(/a=sea;/);
      await events.waitForLog(
        /^\{"type":"MODIFIED","object":\{"apiVersion":.*"flunderReference":"sea"/m,
      );
    },
  },
  {
    name: 'get -w ends with the time of the request',
    given: [flunder('a')],
    steps: [
      {
        run: 'get flunders -w --request-timeout=5s', // of its list, too
        stdout: /^NAME +REFERENCE +AGE\na +pond +\d+s\n$/,
      },
    ],
  },
];
