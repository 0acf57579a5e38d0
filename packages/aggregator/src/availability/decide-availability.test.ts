import assert from 'node:assert/strict';
import test from 'node:test';
import type { AvailabilityState } from './availability.ts';
import {
  decideAvailability,
  newHistory,
  type Sign,
  UNKNOWN_AFTER_MS,
} from './decide-availability.ts';

const passed: Sign = { kind: 'passed' };
const local: Sign = { kind: 'local' };
const responded: Sign = { kind: 'request-answered' };
const requestFailed: Sign = { kind: 'request-failed' };
const refused: Sign = { kind: 'failed', failure: { kind: 'refused', message: 'refused' } };
const silent: Sign = { kind: 'failed', failure: { kind: 'silent', message: 'silent' } };
const wrong: Sign = { kind: 'failed', failure: { kind: 'wrong-answer', message: '403' } };
const gone: Sign = {
  kind: 'nobody',
  problem: { status: 'False', reason: 'ServiceNotFound', message: 'gone' },
};
const unread: Sign = {
  kind: 'nobody',
  problem: { status: 'Unknown', reason: 'ServiceAccessError', message: 'unread' },
};

function believed(status: AvailabilityState['status']): AvailabilityState {
  return { status, reason: 'Believed', message: '', sinceMs: -1, lastSuccessMs: undefined };
}

interface Case {
  readonly name: string;
  readonly believed?: AvailabilityState['status'];
  readonly signs: readonly Sign[];
  /** `status reason` after each sign; `-` while nothing was found out. */
  readonly want: readonly string[];
}

const PASSED = 'True Passed';
const FAILED = 'False FailedDiscoveryCheck';

const cases: readonly Case[] = [
  { name: 'one probe that passes is enough', signs: [passed], want: [PASSED] },
  { name: 'local is always available', signs: [local], want: ['True Local'] },
  {
    name: 'nothing is known of a new one until the failure is sure',
    signs: [refused, refused],
    want: ['-', FAILED],
  },
  {
    name: 'a refusal is believed when the second probe agrees',
    signs: [passed, refused, refused],
    want: [PASSED, PASSED, FAILED],
  },
  {
    name: 'or when a request has seen it before',
    signs: [passed, requestFailed, refused],
    want: [PASSED, PASSED, FAILED],
  },
  {
    name: 'requests alone are not believed, however many',
    signs: [passed, requestFailed, requestFailed, requestFailed],
    want: [PASSED, PASSED, PASSED, PASSED],
  },
  {
    name: 'a probe that passes in between ends all doubts',
    signs: [passed, refused, passed, refused],
    want: [PASSED, PASSED, PASSED, PASSED],
  },
  {
    name: 'silence is believed after three probes',
    signs: [passed, silent, silent, silent],
    want: [PASSED, PASSED, PASSED, FAILED],
  },
  {
    name: 'a request that failed does not count for silence',
    signs: [passed, requestFailed, silent, silent, silent],
    want: [PASSED, PASSED, PASSED, PASSED, FAILED],
  },
  {
    name: 'a request that is answered ends silence',
    signs: [passed, silent, silent, responded, silent, silent],
    want: Array(6).fill(PASSED),
  },
  {
    name: 'a request that is answered ends a refusal',
    signs: [passed, refused, responded, refused],
    want: Array(4).fill(PASSED),
  },
  {
    name: 'a wrong answer is wrong whatever requests get',
    signs: [passed, wrong, responded, wrong],
    want: [PASSED, PASSED, PASSED, FAILED],
  },
  {
    name: 'a refusal after silence is the second sign',
    signs: [passed, silent, refused],
    want: [PASSED, PASSED, FAILED],
  },
  {
    name: 'one probe brings it back',
    signs: [refused, refused, passed],
    want: ['-', FAILED, PASSED],
  },
  {
    name: 'a request that is answered does not',
    signs: [refused, refused, responded],
    want: ['-', FAILED, FAILED],
  },
  {
    name: 'it goes again only when that is sure again',
    signs: [refused, refused, passed, refused, refused],
    want: ['-', FAILED, PASSED, PASSED, FAILED],
  },
  {
    name: 'nobody to ask is sure at once',
    signs: [passed, gone],
    want: [PASSED, 'False ServiceNotFound'],
  },
  {
    name: 'a probe after nobody to ask fails at once',
    signs: [gone, refused],
    want: ['False ServiceNotFound', FAILED],
  },
  {
    name: 'what is not read yet changes nothing',
    believed: 'True',
    signs: [unread],
    want: ['True Believed'],
  },
  {
    name: 'what was written is believed',
    believed: 'False',
    signs: [requestFailed],
    want: ['False Believed'],
  },
  {
    name: 'a believed failure needs one probe to become our own',
    believed: 'False',
    signs: [silent],
    want: [FAILED],
  },
  {
    name: 'a believed success needs as many as any other',
    believed: 'True',
    signs: [silent, silent, silent],
    want: ['True Believed', 'True Believed', FAILED],
  },
];

for (const { name, signs, want, ...start } of cases) {
  test(name, () => {
    let course = newHistory(0, start.believed && believed(start.believed));
    const seen = signs.map((sign, at) => {
      course = decideAvailability(course, sign, at + 1);
      return course.state === undefined ? '-' : `${course.state.status} ${course.state.reason}`;
    });
    assert.deepEqual(seen, want);
  });
}

test('messages are those of the last failure, and the time that of the status', () => {
  let course = newHistory(0, undefined);
  for (const [at, sign] of [passed, refused, refused, silent, gone].entries()) {
    course = decideAvailability(course, sign, at * 10);
  }
  assert.deepEqual(course.state, {
    status: 'False',
    reason: 'ServiceNotFound',
    message: 'gone',
    sinceMs: 20,
    lastSuccessMs: 0,
  });
  assert.equal(course.confirmedMs, 40);
  course = decideAvailability(course, passed, 50);
  assert.equal(course.state?.sinceMs, 50);
  assert.equal(course.state?.lastSuccessMs, 50);
});

test('what was found out is told from what was believed', () => {
  const course = newHistory(0, believed('True'));
  assert.equal(course.isOwn, false);
  assert.equal(decideAvailability(course, silent, 1).isOwn, false);
  assert.equal(decideAvailability(course, passed, 1).isOwn, true);
});

test('local copies that never come are a finding in the end', () => {
  const course = newHistory(0, believed('True'));
  assert.equal(decideAvailability(course, unread, UNKNOWN_AFTER_MS - 1).state?.status, 'True');
  assert.equal(
    decideAvailability(course, unread, UNKNOWN_AFTER_MS).state?.reason,
    'ServiceAccessError',
  );
});

test('a request that is answered does not make an unavailable server one that is asked rarely', () => {
  const signs = [refused, refused, responded];
  const course = signs.reduce(
    (before, sign) => decideAvailability(before, sign, 1),
    newHistory(0, undefined),
  );
  assert.equal(course.state?.status, 'False');
  assert.ok(course.doubt);
});
