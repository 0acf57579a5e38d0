import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shrinkTodo } from './todo.ts';

const cases = [
  { name: 'a green row goes', green: ['a1'], want: { a: ['a2'], b: ['b1'] } },
  { name: 'a group that is done goes', green: ['b1'], want: { a: ['a1', 'a2'] } },
  {
    name: 'a green row that was not on it changes nothing',
    green: ['x'],
    want: { a: ['a1', 'a2'], b: ['b1'] },
  },
];
for (const { name, green, want } of cases) {
  test(name, () => {
    assert.deepEqual(shrinkTodo({ a: ['a1', 'a2'], b: ['b1'] }, new Set(green)), want);
  });
}
