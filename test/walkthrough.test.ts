import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyKubectl, missingMessage, skipOrFail, temporaryDirectory } from './harness/index.ts';
import { blocksOf, walk } from './walkthrough.ts';

const FENCE = '```';
const block = (language: string, text: string): string => `${FENCE}${language}\n${text}${FENCE}\n`;

test('a page consists of files and commands, in order', () => {
  const page = [
    block('ts a.ts', 'const a = 1;\n'),
    'Text, and a block that is not run:\n\n',
    block('text', 'nothing\n'),
    block('sh', 'one\n\ntwo\n'),
    block('console', '$ three\nits output\n\nmore\n$ four\n'),
  ].join('');
  assert.deepEqual(blocksOf(page), [
    { kind: 'file', name: 'a.ts', text: 'const a = 1;\n' },
    { kind: 'commands', commands: [{ line: 'one' }, { line: 'two' }] },
    {
      kind: 'commands',
      commands: [
        { line: 'three', output: 'its output\n\nmore\n' },
        { line: 'four', output: '' },
      ],
    },
  ]);
});

const pages: { name: string; page: string; fails?: RegExp }[] = [
  {
    name: 'a file is there for the commands',
    page: block('txt a', 'x  1s\n') + block('console', '$ cat a\nx 22s\n'),
  },
  { name: 'a variable holds from then on', page: block('console', '$ export A=b\n$ echo $A\nb\n') },
  { name: 'errors are output too', page: block('console', '$ echo no >&2\nno\n') },
  { name: 'another output', page: block('console', '$ echo a\nb\n'), fails: /\$ echo a/ },
  { name: 'output where none is shown', page: block('console', '$ echo a\n'), fails: /\$ echo a/ },
  { name: 'a command that fails', page: block('sh', 'false\n'), fails: /\$ false/ },
];
for (const { name, page, fails } of pages) {
  test(`${fails === undefined ? 'accepted' : 'rejected'}: ${name}`, async (t) => {
    const kubectl = await anyKubectl();
    if (kubectl === undefined) return skipOrFail(t, missingMessage('kubectl'));
    const folder = await temporaryDirectory(t);
    const walking = walk(t, page, {
      folder,
      kubectl,
      isDone: () => false,
      server: () => undefined,
    });
    await (fails === undefined ? walking : assert.rejects(walking, fails));
  });
}
