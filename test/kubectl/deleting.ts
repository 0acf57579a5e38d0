/** `kubectl delete` and `wait`. */
import assert from 'node:assert/strict';
import { create, deleted, flunder, GROUP, type Scenario, type Step, said } from './scenario.ts';

const HOLD = { finalizers: ['example.com/hold'] };
const release: Step = {
  run: ['patch', 'flunder', 'one', '--type=merge', '-p', '{"metadata":{"finalizers":null}}'],
  stdout: said('one', 'patched'),
};
/** Of its own watch that was open for less than a second kubectl warns, which a busy machine makes of any. */
const GAVE_UP = /^(?:W\d{4} .*\n)*error: timed out waiting for the condition on flunders\/one\n$/;
const isGone: Step = { run: 'get flunder one --ignore-not-found', stdout: '' };

function cascade(policy: string, finalizers: string): Scenario {
  return {
    name: `delete --cascade=${policy}`,
    given: [flunder('one')],
    steps: [
      { run: `delete flunder one --cascade=${policy} --wait=false`, stdout: deleted('one') },
      {
        run: 'get flunder one --ignore-not-found -o jsonpath={.metadata.finalizers}',
        stdout: finalizers,
      },
      ...(finalizers === '' ? [] : [release]),
      isGone,
    ],
  };
}

export const deleting: readonly Scenario[] = [
  {
    name: 'delete',
    given: [flunder('one')],
    steps: [
      {
        run: 'delete flunder one --dry-run=server',
        stdout: deleted('one', ' (server dry run)'),
      },
      { run: 'delete flunder one --dry-run=client', stdout: deleted('one', ' (dry run)') },
      { run: 'get flunder one -o name', stdout: `flunder.${GROUP}/one` },
      { run: 'delete flunder one', stdout: deleted('one') },
      isGone,
      {
        run: 'delete flunder one',
        code: 1,
        stdout: '',
        stderr: `Error from server (NotFound): flunders.${GROUP} "one" not found`,
      },
      { run: 'delete flunder one --ignore-not-found', stdout: '' },
      create('two'),
      { run: 'delete -f -', input: flunder('two'), stdout: deleted('two') },
      create('three'),
      {
        run: 'delete flunder three --grace-period=0 --force',
        stdout: /"three" force deleted/,
        stderr: /^warning: Immediate deletion does not wait/i,
      },
    ],
  },
  {
    name: 'delete waits for finalizers',
    given: [flunder('one', HOLD)],
    play: async ({ step, start }) => {
      const deletion = await start('delete flunder one');
      await deletion.waitForLog(/"one" deleted/);
      await step({
        run: [
          'get',
          'flunder',
          'one',
          '-o',
          'jsonpath={.metadata.deletionTimestamp} {.metadata.finalizers}',
        ],
        stdout: /^\d{4}-\S+Z \["example\.com\/hold"\]$/,
      });
      const waiting = await start('wait flunder/one --for=delete --timeout=60s -v=6');
      await waiting.waitForLog(/watch=true/); // 1.20 fails when it is gone before
      await step(release);
      assert.deepEqual(await deletion.exited, { code: 0, signal: null }, deletion.log());
      assert.equal((await waiting.exited).code, 0, waiting.log());
      await step(isGone);
    },
  },
  {
    name: 'delete gives up waiting',
    given: [flunder('one', HOLD)],
    steps: [
      {
        run: 'delete flunder one --timeout=2s',
        code: 1,
        stdout: deleted('one'),
        stderr: GAVE_UP,
      },
      {
        run: 'wait flunder/one --for=delete --timeout=2s',
        code: 1,
        stdout: '',
        stderr: GAVE_UP,
      },
      {
        run: [
          'patch',
          'flunder',
          'one',
          '--type=json',
          '-p',
          '[{"op":"add","path":"/metadata/finalizers/-","value":"example.com/late"}]',
        ],
        code: 1,
        stdout: '',
        stderr:
          /^The Flunder "one" is invalid: metadata\.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers \[\]string\{"example\.com\/late"\}/,
      },
      release,
      isGone,
      {
        run: 'wait flunder/one --for=delete --timeout=60s',
        stdout: '',
        differs: [
          {
            before: '1.22',
            because: 'older releases want to see it before it goes',
            code: 1,
            stderr: 'error: no matching resources found',
          },
        ],
      },
    ],
  },
  cascade('background', ''),
  cascade('foreground', '["foregroundDeletion"]'),
  cascade('orphan', '["orphan"]'),
  {
    name: 'delete by selector, and all',
    given: [
      flunder('a', { labels: { color: 'red' } }),
      flunder('b', { labels: { color: 'red' } }),
      flunder('c', { labels: { color: 'blue' } }),
      flunder('d'),
    ],
    steps: [
      {
        run: 'delete flunders -l color=red --dry-run=server',
        stdout: [deleted('a', ' (server dry run)'), deleted('b', ' (server dry run)')],
      },
      { run: 'delete flunders -l color=red', stdout: [deleted('a'), deleted('b')] },
      { run: 'get flunders -o name', stdout: `flunder.${GROUP}/c\nflunder.${GROUP}/d` },
      {
        run: 'delete flunders --field-selector metadata.name=c',
        stdout: deleted('c'),
      },
      { run: 'delete flunders --all', stdout: deleted('d') },
      { run: 'delete flunders --all', stdout: 'No resources found' },
      { run: 'get flunders -o name', stdout: '' },
    ],
  },
  {
    name: 'wait for a field',
    since: ['1.23', '--for=jsonpath'],
    given: [flunder('one')],
    play: async ({ step, start }) => {
      await step({
        run: 'wait flunder/one --for=jsonpath={.spec.flunderReference}=pond --timeout=60s',
        stdout: said('one', 'condition met'),
      });
      const waiting = await start(
        'wait flunder/one --for=jsonpath={.spec.flunderReference}=lake --timeout=60s',
      );
      await step({
        run: [
          'patch',
          'flunder',
          'one',
          '--type=merge',
          '-p',
          '{"spec":{"flunderReference":"lake"}}',
        ],
        stdout: said('one', 'patched'),
      });
      assert.equal((await waiting.exited).code, 0, waiting.log());
      assert.match(waiting.log(), /condition met/);
    },
  },
  {
    name: 'wait for what never comes',
    given: [flunder('one')],
    steps: [
      {
        run: 'wait flunder/one --for=condition=Ready --timeout=2s',
        code: 1,
        stdout: '',
        stderr: GAVE_UP,
      },
    ],
  },
];
