import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { decodeYaml, YamlError } from '@tributary/apimachinery';
import { openValidationThread } from './validation-thread.ts';

const thread = openValidationThread();
after(() => thread.close());
const waiting = new AbortController();

const documents = [
  'a: 1\nb: [x, {y: 9007199254740993}]\nc: "\\ud800"\n',
  'a: 1\na: 2\n__proto__: {b: 1}\n',
  '',
  '# nothing\n',
  'a: .inf\nb: 0x10\nc: 1e400\n',
  'a: [\n',
  'x: &a [1]\ny: *a\nz: *none\n',
  `${'['.repeat(50)}${']'.repeat(50)}`,
];
for (const text of documents) {
  test(`the thread decodes YAML as the event loop does: ${JSON.stringify(text.slice(0, 40))}`, async () => {
    const bytes = Buffer.from(text);
    const depthMax = 40;
    const there = thread.decodeYaml(bytes, depthMax, waiting);
    let here: ReturnType<typeof decodeYaml>;
    try {
      here = decodeYaml(bytes, { depthMax });
    } catch (error) {
      assert.ok(error instanceof YamlError);
      await assert.rejects(
        there,
        (other) => other instanceof YamlError && other.message === error.message,
      );
      return;
    }
    assert.deepEqual(await there, here);
  });
}
